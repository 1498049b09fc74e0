/** Relax IR, its passes, and the way to bytecode and kernels. */
module org.relaxvm.compiler {
  requires transitive org.relaxvm.api;
  requires transitive org.relaxvm.tir;
  requires transitive org.relaxvm.vmcore;
  requires static org.jspecify;

  uses org.relaxvm.compiler.pass.PassProvider;

  provides org.relaxvm.vmcore.program.ProgramReader with
      org.relaxvm.compiler.file.RelaxProgramReader;

  exports org.relaxvm.compiler;
  exports org.relaxvm.compiler.builder;
  exports org.relaxvm.compiler.codegen;
  exports org.relaxvm.compiler.eval;
  exports org.relaxvm.compiler.file;
  exports org.relaxvm.compiler.ir;
  exports org.relaxvm.compiler.op;
  exports org.relaxvm.compiler.op.core;
  exports org.relaxvm.compiler.op.create;
  exports org.relaxvm.compiler.op.elementwise;
  exports org.relaxvm.compiler.op.image;
  exports org.relaxvm.compiler.op.index;
  exports org.relaxvm.compiler.op.linear;
  exports org.relaxvm.compiler.op.nn;
  exports org.relaxvm.compiler.op.reduce;
  exports org.relaxvm.compiler.op.rule;
  exports org.relaxvm.compiler.op.shape;
  exports org.relaxvm.compiler.dsl;
  exports org.relaxvm.compiler.pass;
  exports org.relaxvm.compiler.pass.device;
  exports org.relaxvm.compiler.pass.fuse;
  exports org.relaxvm.compiler.pass.graph;
  exports org.relaxvm.compiler.pass.lower;
  exports org.relaxvm.compiler.pass.memory;
  exports org.relaxvm.compiler.pipeline;
  exports org.relaxvm.compiler.rewrite;
  exports org.relaxvm.compiler.text;
  exports org.relaxvm.compiler.type;
  exports org.relaxvm.compiler.typing;
  exports org.relaxvm.compiler.wellformed;
}
