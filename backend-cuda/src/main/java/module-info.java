/** Devices of CUDA. Exports nothing: it is reached through its backend provider. */
module org.relaxvm.backendcuda {
  requires org.relaxvm.api;
  requires org.relaxvm.tir;
  requires org.relaxvm.backendsupport;
  requires org.slf4j;
  // An automatic module names nothing that it needs.
  requires java.logging;
  requires jcuda;
  requires static org.jspecify;

  provides org.relaxvm.api.spi.BackendProvider with
      org.relaxvm.backendcuda.CudaBackendProvider;
}
