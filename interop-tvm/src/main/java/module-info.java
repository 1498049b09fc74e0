/** Runs libraries that Apache TVM exported. */
module org.relaxvm.interoptvm {
  requires org.relaxvm.vmcore;
  requires static org.jspecify;

  provides org.relaxvm.api.spi.FunctionProvider with
      org.relaxvm.interoptvm.functions.RuntimeFunctions;
  provides org.relaxvm.vmcore.program.ProgramReader with
      org.relaxvm.interoptvm.TvmLibraryReader;
}
