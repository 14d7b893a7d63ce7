#include "operations/recovery_record.hpp"

#include <chrono>

#include "support/catch.hpp"

using detour::RecoveryRecord;
using detour::RecoveryTimes;

TEST_CASE("recovery record: all zero while nobody is lost") {
  RecoveryRecord record;
  record.complete(0);
  REQUIRE(record.last().count == 0);
  REQUIRE(record.last().completed_ns == 0);
}

TEST_CASE("recovery record: the steps of an operation that was broken, in order") {
  RecoveryRecord record;
  record.notice(7);
  record.see_broken();
  record.agree();
  record.begin_again();
  REQUIRE(record.last().count == 0);
  record.complete(1);
  const RecoveryTimes times = record.last();
  REQUIRE(times.count == 1);
  REQUIRE(times.noticed_ns > 0);
  REQUIRE(times.noticed_ns <= times.broken_ns);
  REQUIRE(times.broken_ns <= times.agreed_ns);
  REQUIRE(times.agreed_ns <= times.begun_ns);
  REQUIRE(times.begun_ns <= times.completed_ns);
  record.complete(1);
  REQUIRE(record.last().completed_ns == times.completed_ns);
}

TEST_CASE("recovery record: a loss that was known at the start breaks nothing") {
  RecoveryRecord record;
  record.notice(7);
  record.agree();
  record.complete(1);
  REQUIRE(record.last().broken_ns == 0);
  REQUIRE(record.last().begun_ns == record.last().agreed_ns);
}

TEST_CASE(
    "recovery record: an attempt without those who were agreed on before begins nothing new") {
  RecoveryRecord record;
  record.see_broken();
  record.agree();
  record.begin_again();
  record.complete(1);
  record.begin_again();
  record.complete(1);
  REQUIRE(record.last().count == 1);
  record.notice(8);
  record.agree();
  record.complete(2);
  REQUIRE(record.last().count == 2);
  REQUIRE(record.last().noticed_ns <= record.last().begun_ns);
}

TEST_CASE("recovery record: several losses in one operation are one recovery") {
  RecoveryRecord record;
  record.notice(7);
  record.see_broken();
  record.agree();
  record.begin_again();
  record.notice(8);
  record.see_broken();
  record.agree();
  record.begin_again();
  record.complete(2);
  REQUIRE(record.last().count == 1);
  REQUIRE(record.last().broken_ns <= record.last().agreed_ns);
  record.notice(9);
  record.agree();
  record.complete(3);
  REQUIRE(record.last().count == 2);
}

TEST_CASE("recovery record: who hears of a death late takes it for no new one") {
  RecoveryRecord record;
  record.see_broken();  // others have sealed the dead one
  record.agree();
  record.complete(1);
  REQUIRE(record.last().noticed_ns == record.last().broken_ns);
  record.notice(7);
  record.notice(7);
  const auto before = std::chrono::steady_clock::now().time_since_epoch();
  record.notice(8);  // this one is new
  record.agree();
  record.complete(2);
  REQUIRE(std::chrono::nanoseconds(record.last().noticed_ns) >= before);
  REQUIRE(record.last().noticed_ns <= record.last().agreed_ns);
}

TEST_CASE("recovery record: a death that an operation did not meet waits for the next") {
  RecoveryRecord record;
  record.notice(7);
  record.complete(0);
  REQUIRE(record.last().count == 0);
  record.agree();
  record.complete(1);
  REQUIRE(record.last().count == 1);
  REQUIRE(record.last().noticed_ns <= record.last().agreed_ns);
}
