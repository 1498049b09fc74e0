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
  // Native code is found on the module path only if somebody requires it.
  requires org.lwjgl.natives;
  requires org.lwjgl.shaderc.natives;
  requires org.lwjgl.vma.natives;
  requires static org.jspecify;

  provides org.relaxvm.api.spi.BackendProvider with
      org.relaxvm.backendvulkan.VulkanBackendProvider;
}
