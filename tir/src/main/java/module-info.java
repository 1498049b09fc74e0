/** Kernel IR: what kernels compute, described once for all devices. */
@SuppressWarnings("module") // the modules that see more than others are built after this one
module org.relaxvm.tir {
  requires transitive org.relaxvm.api;
  requires static org.jspecify;

  exports org.relaxvm.tir;
  exports org.relaxvm.tir.eval;
  exports org.relaxvm.tir.expr;
  exports org.relaxvm.tir.op;
  exports org.relaxvm.tir.op.image;
  exports org.relaxvm.tir.schedule;
  exports org.relaxvm.tir.stmt;
  exports org.relaxvm.tir.te;
  exports org.relaxvm.tir.text;
  exports org.relaxvm.tir.abi to
      org.relaxvm.backendcpu,
      org.relaxvm.backendcuda,
      org.relaxvm.backendopencl,
      org.relaxvm.backendsupport,
      org.relaxvm.backendvulkan;
  exports org.relaxvm.tir.analysis to
      org.relaxvm.backendcpu,
      org.relaxvm.backendcuda,
      org.relaxvm.backendsupport,
      org.relaxvm.compiler;
  exports org.relaxvm.tir.arith to
      org.relaxvm.backendcpu,
      org.relaxvm.backendsupport,
      org.relaxvm.cli,
      org.relaxvm.compiler,
      org.relaxvm.interoponnx;
  exports org.relaxvm.tir.cost to
      org.relaxvm.cli;
  exports org.relaxvm.tir.fuse to
      org.relaxvm.compiler;
  exports org.relaxvm.tir.library to
      org.relaxvm.backendcpu,
      org.relaxvm.backendsupport;
  exports org.relaxvm.tir.op.layout to
      org.relaxvm.backendtestkit,
      org.relaxvm.compiler;
  exports org.relaxvm.tir.op.serial to
      org.relaxvm.backendtestkit,
      org.relaxvm.compiler,
      org.relaxvm.interoponnx;
  exports org.relaxvm.tir.rewrite to
      org.relaxvm.backendcpu,
      org.relaxvm.backendsupport,
      org.relaxvm.backendtestkit,
      org.relaxvm.cli,
      org.relaxvm.compiler;
  exports org.relaxvm.tir.scalar to
      org.relaxvm.backendcpu,
      org.relaxvm.backendsupport;
  exports org.relaxvm.tir.verify to
      org.relaxvm.backendcpu,
      org.relaxvm.backendsupport,
      org.relaxvm.compiler;
}
