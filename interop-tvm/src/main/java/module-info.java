/** Runs libraries that Apache TVM exported. */
module org.relaxvm.interoptvm {
  requires org.relaxvm.vmcore;
  requires static org.jspecify;

  provides org.relaxvm.vmcore.program.ProgramReader with
      org.relaxvm.interoptvm.TvmLibraryReader;
}
