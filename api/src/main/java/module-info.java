/** The stable surface of RelaxVM: values, the calling convention and the backend SPI. */
@SuppressWarnings("module") // the modules that get more than others are built after this one
module org.relaxvm.api {
  requires transitive jdk.jfr;
  requires transitive org.jspecify;
  requires org.slf4j;

  exports org.relaxvm.api;
  exports org.relaxvm.api.discovery to
      org.relaxvm.cli,
      org.relaxvm.compiler,
      org.relaxvm.interoponnx;
  exports org.relaxvm.api.engine to
      org.relaxvm.backendcpu,
      org.relaxvm.builtins,
      org.relaxvm.interoptvm,
      org.relaxvm.tir,
      org.relaxvm.vmcore;
  exports org.relaxvm.api.error;
  exports org.relaxvm.api.events;
  exports org.relaxvm.api.host;
  exports org.relaxvm.api.io;
  exports org.relaxvm.api.kernels;
  exports org.relaxvm.api.memory;
  exports org.relaxvm.api.object;
  exports org.relaxvm.api.parallel;
  exports org.relaxvm.api.registry;
  exports org.relaxvm.api.spi;
  exports org.relaxvm.api.system to
      org.relaxvm.backendcpu;

  uses org.relaxvm.api.object.ObjectTypeProvider;
  uses org.relaxvm.api.spi.BackendProvider;
  uses org.relaxvm.api.spi.FunctionProvider;
}
