package org.relaxvm.backendsupport.gpu.device;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.backendsupport.cache.CacheSettings;
import org.relaxvm.backendsupport.gpu.module.GpuModule;

/** The options that all GPU backends declare. */
public final class GpuOptions {
  private GpuOptions() {}

  /**
   * The shared options, followed by those of one backend.
   *
   * @param failedSources the backend's property for sources that its compiler refuses
   */
  public static List<BackendOption> with(String failedSources, BackendOption... own) {
    List<BackendOption> all = new ArrayList<>();
    all.add(
        BackendOption.of(
            "kernelCache",
            "off or a folder",
            "a folder of the user's caches",
            CacheSettings.FOLDER_PROPERTY,
            "Keeps compiled kernels on disk."));
    all.add(
        BackendOption.of(
            "kernelCacheMib",
            "MiB",
            Long.toString(CacheSettings.DEFAULT_LIMIT_MIB),
            CacheSettings.LIMIT_PROPERTY,
            "Bounds the kernel cache."));
    all.add(
        BackendOption.of(
            "dumpKernels",
            "a folder",
            "none",
            GpuModule.DUMP_SETTING,
            "Writes scheduled kernels and generated source code to files."));
    all.add(
        BackendOption.of(
            "failedSources",
            "a folder",
            "the folder for temporary files",
            failedSources,
            "Receives source code that the compiler refuses."));
    all.addAll(List.of(own));
    return List.copyOf(all);
  }
}
