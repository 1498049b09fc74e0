/** Executables, their verifier, and the virtual machine that runs them. */
module org.relaxvm.vmcore {
  requires transitive org.relaxvm.api;
  requires org.slf4j;
  requires com.fasterxml.jackson.jr.ob;
  requires static transitive org.jspecify;

  exports org.relaxvm.vmcore.executable;
  exports org.relaxvm.vmcore.params;
  exports org.relaxvm.vmcore.program;
  exports org.relaxvm.vmcore.text;
  exports org.relaxvm.vmcore.verify;
  exports org.relaxvm.vmcore.vm;

  uses org.relaxvm.vmcore.program.ProgramReader;
}
