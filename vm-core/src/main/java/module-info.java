/** Executables, their verifier, and the virtual machine that runs them. */
@SuppressWarnings("module") // the module that gets more than others is built after this one
module org.relaxvm.vmcore {
  requires transitive org.relaxvm.api;
  requires org.slf4j;
  requires com.fasterxml.jackson.jr.ob;
  requires static transitive org.jspecify;

  exports org.relaxvm.vmcore.binary to
      org.relaxvm.interoprelay,
      org.relaxvm.interoptvm,
      org.relaxvm.objects;
  exports org.relaxvm.vmcore.executable;
  exports org.relaxvm.vmcore.interp to
      org.relaxvm.interoptvm;
  exports org.relaxvm.vmcore.link to
      org.relaxvm.compiler;
  exports org.relaxvm.vmcore.params;
  exports org.relaxvm.vmcore.program;
  exports org.relaxvm.vmcore.text;
  exports org.relaxvm.vmcore.verify;
  exports org.relaxvm.vmcore.vm;

  uses org.relaxvm.vmcore.program.ProgramReader;
}
