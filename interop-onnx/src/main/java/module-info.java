/** Models in ONNX form: read, checked, translated to Relax IR, compiled. */
@SuppressWarnings("module") // the module that sees more than others is built after this one
module org.relaxvm.interoponnx {
  requires transitive org.relaxvm.compiler;
  requires transitive org.relaxvm.vmcore;
  requires static org.jspecify;

  exports org.relaxvm.interoponnx;
  exports org.relaxvm.interoponnx.options;
  exports org.relaxvm.interoponnx.proto;
  exports org.relaxvm.interoponnx.spi;
  exports org.relaxvm.interoponnx.cases to
      org.relaxvm.cli;

  uses org.relaxvm.interoponnx.spi.OnnxOperatorProvider;

  provides org.relaxvm.vmcore.program.ProgramReader with
      org.relaxvm.interoponnx.OnnxProgramReader;
}
