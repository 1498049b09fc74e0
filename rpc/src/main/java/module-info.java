/** Remote devices: client, server, tracker and proxy of Apache TVM's RPC protocol. */
module org.relaxvm.rpc {
  requires transitive org.relaxvm.vmcore;
  requires org.relaxvm.objects;
  requires com.fasterxml.jackson.jr.ob;
  requires jdk.net;
  requires org.slf4j;
  requires static org.jspecify;

  exports org.relaxvm.rpc;
  exports org.relaxvm.rpc.connection;
  exports org.relaxvm.rpc.error;
  exports org.relaxvm.rpc.proxy;
  exports org.relaxvm.rpc.tracker;

  provides org.relaxvm.api.spi.BackendProvider with
      org.relaxvm.rpc.device.RemoteBackendProvider;
}
