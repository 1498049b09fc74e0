/** Runs libraries that Apache TVM exported. */
@SuppressWarnings("module") // the module that gets more than others is built after this one
module org.relaxvm.interoptvm {
  requires org.relaxvm.machine;
  requires transitive org.relaxvm.vmcore;
  requires static transitive org.jspecify;

  exports org.relaxvm.interoptvm to
      org.relaxvm.interoprelay;
  exports org.relaxvm.interoptvm.spi to
      org.relaxvm.interoprelay;

  uses org.relaxvm.interoptvm.spi.RootModuleReader;

  provides org.relaxvm.api.spi.FunctionProvider with
      org.relaxvm.interoptvm.functions.RuntimeFunctions;
  provides org.relaxvm.vmcore.program.ProgramReader with
      org.relaxvm.interoptvm.TvmLibraryReader;
}
