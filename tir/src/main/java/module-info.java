/** Kernel IR: what kernels compute, described once for all devices. */
module org.relaxvm.tir {
  requires transitive org.relaxvm.api;
  requires static org.jspecify;

  exports org.relaxvm.tir;
  exports org.relaxvm.tir.expr;
  exports org.relaxvm.tir.stmt;
  exports org.relaxvm.tir.rewrite;
  exports org.relaxvm.tir.text;
}
