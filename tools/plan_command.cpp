#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "command_line.hpp"
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
#include "proof_text.hpp"

namespace detour::tool {
namespace {

struct PlanArguments {
  std::optional<std::string> mesh;
  std::vector<std::string> failed;
  std::optional<std::string> policy;
  std::optional<std::string> policy_path;
  std::optional<std::string> svg_path;
  std::optional<std::string> colour;
  bool no_bridges = false;
  bool complete = false;
  bool table = false;
  bool proof = false;
  bool json = false;
  bool ascii = false;
  MachineArguments machine;

  bool svg_to_stdout() const { return svg_path == "-"; }
};

constexpr const char* environment_variables =
    "Environment, where an option does not say otherwise:\n"
    "  DETOUR_POLICY       the policy\n"
    "  DETOUR_POLICY_PATH  plug-ins\n"
    "  DETOUR_BRIDGES      'off' like --no-bridges, or 'on'\n";

void add_topology_options(CLI::App& command, PlanArguments& arguments) {
  add_text_option(command, "--mesh", "ROWSxCOLS", arguments.mesh, "For example 8x8")->required();
  add_text_list_option(command, "--fail", "R,C", arguments.failed,
                       "A failed cell R,C or block R1-R2,C1-C2, counted from 0; may be repeated");
  command.add_flag("--complete", arguments.complete, "Every cell reaches every other directly");
  command.add_flag("--no-bridges", arguments.no_bridges, "Use no hops beyond the mesh links");
}

void add_policy_options(CLI::App& command, PlanArguments& arguments) {
  add_text_option(command, "--policy", "NAME", arguments.policy,
                  "A name that 'detour policies' lists [auto]");
  add_text_option(command, "--policy-path", "PATH", arguments.policy_path,
                  "Plug-ins: files or folders, separated by colons");
  add_text_option(command, "--trees", "N", arguments.machine.tree_count_max,
                  "How many trees the policy 'trees' packs at most");
}

void add_machine_options(CLI::App& command, MachineArguments& machine) {
  add_text_option(command, "--bytes", "SIZE", machine.bytes,
                  "Payload, for example 64K or 4M [very large]");
  add_text_option(command, "--latency-us", "US", machine.latency_us, "Latency of a hop [1]");
  add_text_option(command, "--bandwidth", "MB/S", machine.bandwidth, "Of a link each way [10000]");
  add_text_option(command, "--injection", "MB/S", machine.injection,
                  "Into and out of a cell [no limit]");
  add_text_option(command, "--chunk-bytes", "SIZE", machine.chunk_bytes,
                  "Unit of pipelining [the best for the plan]");
  add_text_option(command, "--overhead-us", "US", machine.overhead_us, "Cost of a message [0.2]");
}

void add_output_options(CLI::App& command, PlanArguments& arguments) {
  add_text_option(command, "--svg", "FILE", arguments.svg_path,
                  "Draw the plan into this file too; '-': to standard output instead");
  command.add_flag("--json", arguments.json, "Print the plan as JSON");
  command.add_flag("--table", arguments.table, "Compare all policies instead of drawing one plan");
  command.add_flag("--proof", arguments.proof, "Show the parts of the mesh that prove the limit");
  command.add_flag("--ascii", arguments.ascii, "Draw with plain characters");
  add_text_option(command, "--color", "WHEN", arguments.colour, "auto, always or never [auto]");
}

// Options that contradict each other, or of which one would change nothing.
void check_combinations(const PlanArguments& arguments) {
  const auto refuse_both = [](bool both, const char* words) {
    if (both) throw BadInput(words);
  };
  refuse_both(arguments.table && arguments.json, "--table and --json can't be had at once");
  refuse_both(arguments.proof && arguments.json,
              "--proof is for people: --json has the parts as \"limit_partition\"");
  refuse_both(arguments.svg_to_stdout() && (arguments.json || arguments.table || arguments.proof),
              "--svg - takes standard output for itself: leave --json, --table and --proof out");
  refuse_both(arguments.table && arguments.policy && !arguments.svg_path,
              "--table compares all policies: leave --policy out");
}

void check_tree_count(const PlanArguments& arguments, const Policy& policy) {
  if (!arguments.machine.tree_count_max || arguments.table) return;
  if (policy.name() == "trees" || policy.name() == "auto") return;
  throw BadInput("--trees means something to the policies 'trees' and 'auto', but not to '" +
                 std::string(policy.name()) + "'");
}

Topology make_topology(const PlanArguments& arguments, const Settings& settings) {
  const Mesh mesh = parse_mesh(arguments.mesh.value());
  const FaultSet faults = parse_faults(arguments.failed, mesh);
  if (faults.count() == mesh.cell_count()) {
    throw BadInput("every cell of the mesh has failed: nothing is left to plan for");
  }
  const bool bridges = !arguments.no_bridges && settings.bridges.value_or(true);
  return Topology(mesh, faults, arguments.complete ? Connectivity::complete : Connectivity::mesh,
                  bridges);
}

void write_table(const PlanArguments& arguments, const Topology& topology, const Request& request,
                 const Bound& bound, TextStyle style) {
  const PolicyTable table =
      compare_policies(topology, request, tighter_limit(bound, topology, request));
  std::cout << table.text;
  if (arguments.proof) std::cout << "\n" << proof_text(topology, bound, style.unicode);
  if (table.all_refused) throw Refused("every policy refused");
}

void write_svg(const PlanArguments& arguments, const PlanFacts& facts) {
  const std::string svg = render_svg(facts.topology, facts.plan, caption(facts));
  if (arguments.svg_to_stdout()) {
    std::cout << svg;
  } else {
    write_file(*arguments.svg_path, svg);
  }
}

void write_plan(const PlanArguments& arguments, const PlanFacts& facts, TextStyle style) {
  if (arguments.svg_path) write_svg(arguments, facts);
  if (arguments.table || arguments.svg_to_stdout()) return;
  if (arguments.json) {
    write_json(std::cout, facts.topology, facts.plan, facts.bound);
    return;
  }
  std::cout << render_text(facts.topology, facts.plan, style) << "\n" << report(facts);
  if (arguments.proof) std::cout << "\n" << proof_text(facts.topology, facts.bound, style.unicode);
}

void run_plan(const PlanArguments& arguments) {
  check_combinations(arguments);
  const Settings settings = load_settings_and_plugins(arguments.policy_path);
  const Topology topology = make_topology(arguments, settings);
  const Request request = make_request(arguments.machine);
  const TextStyle style =
      text_style(arguments.ascii, parse_colour(arguments.colour.value_or("auto")));
  const Policy& policy = find_policy(arguments.policy.value_or(settings.policy.value_or("auto")));
  check_tree_count(arguments, policy);
  if (arguments.table && !arguments.svg_path) {
    return write_table(arguments, topology, request, limit(topology), style);
  }
  const Plan plan = make_plan(policy, topology, request);
  const PlanFacts facts{.asked_policy = policy.name(),
                        .policy_from_environment = !arguments.policy && settings.policy,
                        .topology = topology,
                        .request = request,
                        .plan = plan,
                        .shape = shape(topology, plan),
                        .bound = limit(topology)};
  write_plan(arguments, facts, style);
  if (arguments.table) write_table(arguments, topology, request, facts.bound, style);
}

}  // namespace

Action add_plan_command(CLI::App& app) {
  const auto arguments = std::make_shared<PlanArguments>();
  CLI::App* command = app.add_subcommand("plan", "Plan an allreduce on a mesh, and draw it");
  add_topology_options(*command, *arguments);
  add_policy_options(*command, *arguments);
  add_machine_options(*command, arguments->machine);
  add_output_options(*command, *arguments);
  command->footer(std::string(environment_variables) + "\n" + exit_statuses);
  return [arguments] { run_plan(*arguments); };
}

}  // namespace detour::tool
