/** Objects of Apache TVM as data: JSON graphs, schema, structural comparison. */
module org.relaxvm.objects {
  requires transitive org.relaxvm.api;
  requires com.fasterxml.jackson.core;
  requires org.relaxvm.vmcore;
  requires static org.jspecify;

  exports org.relaxvm.objects.compare;
  exports org.relaxvm.objects.graph;
  exports org.relaxvm.objects.release;
  exports org.relaxvm.objects.schema;

  provides org.relaxvm.api.object.ObjectTypeProvider with
      org.relaxvm.objects.schema.TvmTypeProvider;
  provides org.relaxvm.api.spi.FunctionProvider with
      org.relaxvm.objects.function.ObjectFunctions;
}
