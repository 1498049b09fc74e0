package org.relaxvm.backendcpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.backendcpu.vector.ProcessMemory;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.abi.KernelText;

/** The host CPU: host memory with kernels. Thread-safe. */
final class CpuDevice extends HostDevice implements ModuleLoader {
  private final DeviceProperties properties;
  private final Module library;
  private final TirKernels kernels;

  CpuDevice(CpuFacts facts, VectorChoice vectors) {
    this(facts, vectors, BackendOptions.none());
  }

  CpuDevice(CpuFacts facts, VectorChoice vectors, BackendOptions options) {
    Map<String, String> details = new LinkedHashMap<>(facts.details());
    details.put("kernels", vectors.toString());
    details.put("generated code", ProcessMemory.describe());
    properties =
        new DeviceProperties(
            facts.title(), facts.memoryBytes(), ALIGNMENT, Long.MAX_VALUE, details);
    library = CpuLibrary.create(vectors, options);
    kernels = new TirKernels(library, vectors, options);
  }

  @Override
  public DeviceProperties properties() {
    return properties;
  }

  @Override
  public Module library() {
    return library;
  }

  @Override
  public Set<String> formats() {
    return Set.of(KernelText.FORMAT);
  }

  @Override
  public Module loadModule(ModuleImage image) {
    if (!image.format().equals(KernelText.FORMAT)) {
      throw new BackendException(
          ErrorKind.VALUE,
          "cpu:0 takes kernels of the format " + KernelText.FORMAT + ", but got " + image.format());
    }
    return kernels.load(image);
  }
}
