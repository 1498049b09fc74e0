/** Devices of Vulkan. Exports nothing: it is reached through its backend provider. */
module org.relaxvm.backendvulkan {
  requires org.relaxvm.api;
  requires org.relaxvm.tir;
  requires org.relaxvm.backendsupport;
  requires org.slf4j;
  requires org.lwjgl;
  requires org.lwjgl.shaderc;
  requires org.lwjgl.vma;
  requires org.lwjgl.vulkan;
  requires static org.jspecify;

  provides org.relaxvm.api.spi.BackendProvider with
      org.relaxvm.backendvulkan.VulkanBackendProvider;
}
