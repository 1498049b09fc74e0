/** Programs of the Relay register VM: read, verified, interpreted, translated to Relax bytecode. */
module org.relaxvm.interoprelay {
  requires transitive org.relaxvm.vmcore;
  requires org.relaxvm.interoptvm;
  requires static org.jspecify;

  exports org.relaxvm.interoprelay;
  exports org.relaxvm.interoprelay.flow;
  exports org.relaxvm.interoprelay.proposal;
  exports org.relaxvm.interoprelay.proposal.build;
  exports org.relaxvm.interoprelay.proposal.interp;
  exports org.relaxvm.interoprelay.proposal.text;
  exports org.relaxvm.interoprelay.proposal.verify;
  exports org.relaxvm.interoprelay.release;
  exports org.relaxvm.interoprelay.release.file;
  exports org.relaxvm.interoprelay.release.interp;
  exports org.relaxvm.interoprelay.release.listing;
  exports org.relaxvm.interoprelay.release.program;
  exports org.relaxvm.interoprelay.release.verify;
  exports org.relaxvm.interoprelay.translate;

  provides org.relaxvm.interoptvm.spi.RootModuleReader with
      org.relaxvm.interoprelay.release.program.ReleasedRootReader;
  provides org.relaxvm.vmcore.program.ProgramReader with
      org.relaxvm.interoprelay.RelayTextReader,
      org.relaxvm.interoprelay.release.program.ReleasedProgramReader;
}
