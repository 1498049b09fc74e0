/** A device that counts what is done on it. */
module com.example.metering {
  requires transitive org.relaxvm.api;
  requires org.slf4j;

  exports com.example.metering;

  provides org.relaxvm.api.spi.BackendProvider with
      com.example.metering.MeteringBackendProvider;
}
