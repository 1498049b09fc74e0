/** What backends for GPUs share: schedules and source code of kernels, and what they run with. */
module org.relaxvm.backendsupport {
  requires transitive org.relaxvm.api;
  requires transitive org.relaxvm.tir;
  requires static org.jspecify;
  requires org.slf4j;

  exports org.relaxvm.backendsupport.cache;
  exports org.relaxvm.backendsupport.gpu;
  exports org.relaxvm.backendsupport.gpu.rules;
  exports org.relaxvm.backendsupport.gpu.run;
  exports org.relaxvm.backendsupport.gpu.source;
  exports org.relaxvm.backendsupport.launch;
  exports org.relaxvm.backendsupport.library;
  exports org.relaxvm.backendsupport.profile;
  exports org.relaxvm.backendsupport.staging;
  exports org.relaxvm.backendsupport.vendor;
}
