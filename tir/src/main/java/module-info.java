/** Kernel IR: what kernels compute, described once for all devices. */
module org.relaxvm.tir {
  requires transitive org.relaxvm.api;
  requires static org.jspecify;

  exports org.relaxvm.tir.abi;
  exports org.relaxvm.tir.analysis;
  exports org.relaxvm.tir.arith;
  exports org.relaxvm.tir.cost;
  exports org.relaxvm.tir.epilogue;
  exports org.relaxvm.tir.eval;
  exports org.relaxvm.tir.expr;
  exports org.relaxvm.tir.fuse;
  exports org.relaxvm.tir.op.layout;
  exports org.relaxvm.tir.op.nn;
  exports org.relaxvm.tir.op;
  exports org.relaxvm.tir.rewrite;
  exports org.relaxvm.tir.scalar;
  exports org.relaxvm.tir.schedule;
  exports org.relaxvm.tir.stmt;
  exports org.relaxvm.tir.te;
  exports org.relaxvm.tir.text;
  exports org.relaxvm.tir.verify;
  exports org.relaxvm.tir;
}
