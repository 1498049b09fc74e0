/** Conformance tests that a backend's author extends, with a reference and a null backend. */
module org.relaxvm.backendtestkit {
  requires transitive org.relaxvm.api;
  requires transitive org.relaxvm.tir;
  requires transitive org.relaxvm.testsupport;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;
  requires org.slf4j;
  requires static org.jspecify;

  exports org.relaxvm.backendtestkit;
  exports org.relaxvm.backendtestkit.corpus;
  exports org.relaxvm.backendtestkit.definition;
  exports org.relaxvm.backendtestkit.nulldevice;
  exports org.relaxvm.backendtestkit.reference;

  // JUnit calls the test methods, which are not public.
  opens org.relaxvm.backendtestkit;
}
