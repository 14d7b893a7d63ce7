#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "detour/routing/render.hpp"
#include "exit_status.hpp"
#include "machine_arguments.hpp"
#include "mesh_arguments.hpp"
#include "output.hpp"
#include "plan_json.hpp"
#include "plan_report.hpp"
#include "plan_table.hpp"
#include "planning.hpp"
#include "plugins.hpp"

namespace detour::tool {
namespace {

struct PlanArguments {
  std::string mesh;
  std::vector<std::string> failed;
  std::optional<std::string> policy;
  std::optional<std::string> policy_path;
  std::optional<std::string> svg_path;
  bool no_bridges = false;
  bool complete = false;
  bool table = false;
  bool json = false;
  bool ascii = false;
  std::string colour = "auto";
  MachineArguments machine;
};

void add_topology_options(CLI::App& command, PlanArguments& arguments) {
  command.add_option("--mesh", arguments.mesh, "Rows x columns, for example 8x8")->required();
  command
      .add_option("--fail", arguments.failed,
                  "A failed cell R,C or block R1-R2,C1-C2, counted from 0; may be repeated")
      ->allow_extra_args(false);
  command.add_flag("--complete", arguments.complete, "Every cell reaches every other directly");
  command.add_flag("--no-bridges", arguments.no_bridges, "Use no hops beyond the mesh links");
}

void add_policy_options(CLI::App& command, PlanArguments& arguments) {
  command.add_option("--policy", arguments.policy, "A name that 'detour policies' lists [auto]");
  command.add_option("--policy-path", arguments.policy_path,
                     "Plug-ins: files or folders, separated by colons");
  command.add_option("--trees", arguments.machine.tree_count_max,
                     "How many trees the policy 'trees' packs at most");
}

void add_machine_options(CLI::App& command, MachineArguments& machine) {
  command.add_option("--bytes", machine.bytes, "Payload, for example 64K or 4M [very large]");
  command.add_option("--latency-us", machine.latency_us, "Latency of a hop [1]");
  command.add_option("--bandwidth", machine.bandwidth, "Of a link each way, MB/s [10000]");
  command.add_option("--injection", machine.injection, "Into and out of a cell, MB/s [no limit]");
  command.add_option("--chunk-bytes", machine.chunk_bytes, "Unit of pipelining [256K]");
  command.add_option("--overhead-us", machine.overhead_us, "Cost of a message [0.2]");
}

void add_output_options(CLI::App& command, PlanArguments& arguments) {
  command.add_option("--svg", arguments.svg_path, "Draw the plan into this file");
  CLI::Option* json = command.add_flag("--json", arguments.json, "Print the plan as JSON");
  command.add_flag("--table", arguments.table, "Compare all policies instead of drawing one plan")
      ->excludes(json);
  command.add_flag("--ascii", arguments.ascii, "Draw with plain characters");
  command.add_option("--color", arguments.colour, "auto, always or never [auto]");
}

Topology make_topology(const PlanArguments& arguments, const Settings& settings) {
  const Mesh mesh = parse_mesh(arguments.mesh);
  const FaultSet faults = parse_faults(arguments.failed, mesh);
  if (faults.count() == mesh.cell_count()) {
    throw BadInput("every cell of the mesh has failed: nothing is left to plan for");
  }
  const bool bridges = !arguments.no_bridges && settings.bridges.value_or(true);
  return Topology(mesh, faults, arguments.complete ? Connectivity::complete : Connectivity::mesh,
                  bridges);
}

void write_table(const Topology& topology, const Request& request, const Bound& bound) {
  const PolicyTable table = compare_policies(topology, request, bound);
  std::cout << table.text;
  if (table.all_refused) throw Refused("every policy refused");
}

void write_plan(const PlanArguments& arguments, const PlanFacts& facts, TextStyle style) {
  if (arguments.svg_path) {
    write_file(*arguments.svg_path, render_svg(facts.topology, facts.plan, caption(facts)));
  }
  if (arguments.table) return;
  if (arguments.json) {
    write_json(std::cout, facts.topology, facts.plan, facts.bound);
    return;
  }
  std::cout << render_text(facts.topology, facts.plan, style) << "\n" << report(facts);
}

void run_plan(const PlanArguments& arguments) {
  const Settings settings = load_settings_and_plugins(arguments.policy_path);
  const Topology topology = make_topology(arguments, settings);
  const Request request = make_request(arguments.machine);
  const TextStyle style = text_style(arguments.ascii, parse_colour(arguments.colour));
  const Policy& policy = find_policy(arguments.policy.value_or(settings.policy.value_or("auto")));
  if (arguments.table && !arguments.svg_path) {
    return write_table(topology, request, limit(topology));
  }
  const Plan plan = make_plan(policy, topology, request);
  const PlanFacts facts{policy.name(),         topology,       request, plan,
                        shape(topology, plan), limit(topology)};
  write_plan(arguments, facts, style);
  if (arguments.table) write_table(topology, request, facts.bound);
}

}  // namespace

Action add_plan_command(CLI::App& app) {
  const auto arguments = std::make_shared<PlanArguments>();
  CLI::App* command = app.add_subcommand("plan", "Plan an allreduce on a mesh, and draw it");
  add_topology_options(*command, *arguments);
  add_policy_options(*command, *arguments);
  add_machine_options(*command, arguments->machine);
  add_output_options(*command, *arguments);
  return [arguments] { run_plan(*arguments); };
}

}  // namespace detour::tool
