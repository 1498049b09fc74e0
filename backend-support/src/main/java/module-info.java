/** What backends for GPUs share: schedules and source code of kernels, and what they run with. */
module org.relaxvm.backendsupport {
  requires transitive org.relaxvm.api;
  requires transitive org.relaxvm.tir;
  requires static org.jspecify;
  requires org.slf4j;

  exports org.relaxvm.backendsupport.cache;
  exports org.relaxvm.backendsupport.gpu;
  exports org.relaxvm.backendsupport.gpu.codegen;
  exports org.relaxvm.backendsupport.gpu.device;
  exports org.relaxvm.backendsupport.gpu.foreign;
  exports org.relaxvm.backendsupport.gpu.kernellibrary;
  exports org.relaxvm.backendsupport.gpu.module;
  exports org.relaxvm.backendsupport.gpu.rules;
  exports org.relaxvm.backendsupport.gpu.vendorgemm;
  exports org.relaxvm.backendsupport.profile;
  exports org.relaxvm.backendsupport.staging;
}
