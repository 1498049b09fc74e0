/** The CPU device. Exports nothing: it is reached through its backend provider. */
module org.relaxvm.backendcpu {
  requires org.relaxvm.api;
  requires org.relaxvm.machine;
  requires org.relaxvm.tir;
  requires org.slf4j;
  requires static jdk.incubator.vector;
  requires static org.jspecify;

  provides org.relaxvm.api.spi.BackendProvider with
      org.relaxvm.backendcpu.CpuBackendProvider;
}
