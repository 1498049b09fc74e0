/** Relax IR, its passes, and the way to bytecode and kernels. */
@SuppressWarnings("module") // the module that sees more than others is built after this one
module org.relaxvm.compiler {
  requires transitive org.relaxvm.api;
  requires transitive org.relaxvm.tir;
  requires transitive org.relaxvm.objects;
  requires transitive org.relaxvm.vmcore;
  requires static org.jspecify;

  uses org.relaxvm.compiler.pass.PassProvider;

  provides org.relaxvm.api.object.ObjectTypeProvider with
      org.relaxvm.compiler.objects.OperatorNames;
  provides org.relaxvm.vmcore.program.ProgramReader with
      org.relaxvm.compiler.file.RelaxProgramReader;
  provides org.relaxvm.api.spi.FunctionProvider with
      org.relaxvm.compiler.named.CompilerFunctions;

  exports org.relaxvm.compiler;
  exports org.relaxvm.compiler.builder;
  exports org.relaxvm.compiler.dsl;
  exports org.relaxvm.compiler.ir;
  exports org.relaxvm.compiler.named;
  exports org.relaxvm.compiler.objects;
  exports org.relaxvm.compiler.op.nn;
  exports org.relaxvm.compiler.pass;
  exports org.relaxvm.compiler.text;
  exports org.relaxvm.compiler.type;
  exports org.relaxvm.compiler.eval to
      org.relaxvm.cli;
  exports org.relaxvm.compiler.file to
      org.relaxvm.cli,
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.core to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.create to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.elementwise to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.image to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.index to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.linear to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.lowbit to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.reduce to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.op.shape to
      org.relaxvm.interoponnx;
  exports org.relaxvm.compiler.pass.simplify to
      org.relaxvm.cli;
  exports org.relaxvm.compiler.type.check to
      org.relaxvm.cli,
      org.relaxvm.interoponnx;
}
