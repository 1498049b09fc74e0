package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.kernels.CompileException;
import org.relaxvm.backendcuda.kernels.CudaCompiler;
import org.relaxvm.backendcuda.kernels.CudaTarget;
import org.relaxvm.backendcuda.kernels.NoCompilerException;
import org.relaxvm.backendcuda.program.CompilerSource;
import org.relaxvm.backendsupport.gpu.GpuLimits;

/** A compiler whose images are its sources; it refuses them when it is told to. */
final class FakeCompiler implements CudaCompiler {
  final List<String> compiled = Collections.synchronizedList(new ArrayList<>());
  volatile String version = "NVRTC 12.6";
  volatile @Nullable CompileException refusal;
  volatile Optional<GpuLimits> prepared = Optional.empty();
  volatile @Nullable String missing;

  /** As a backend looks for it. */
  CompilerSource.Found found() {
    return new CompilerSource.Found(Optional.of(this), "");
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public Optional<GpuLimits> preparedFor() {
    return prepared;
  }

  @Override
  public byte[] compile(String name, String source, CudaTarget target) {
    CompileException refused = refusal;
    if (refused != null) {
      throw refused;
    }
    String none = missing;
    if (none != null) {
      throw new NoCompilerException(none);
    }
    compiled.add(name + " for " + target.cubin());
    return source.getBytes(UTF_8);
  }
}
