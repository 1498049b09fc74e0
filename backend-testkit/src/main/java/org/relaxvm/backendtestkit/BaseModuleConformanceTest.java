package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;

/**
 * Kernels that arrive at run time. A device without {@link Capability#MODULES} must not implement
 * {@link ModuleLoader}; the other tests then have nothing to ask.
 */
public abstract class BaseModuleConformanceTest extends BaseConformanceTest {
  @Test
  void aDeviceIsALoaderExactlyWhenItTakesModules() {
    assertThat(device() instanceof ModuleLoader).isEqualTo(can(Capability.MODULES));
    assertThat(backendUnderTest().sampleModule() != null)
        .as("a sample module comes with the capability")
        .isEqualTo(can(Capability.MODULES));
    if (device() instanceof ModuleLoader loader) {
      assertThat(loader.formats()).isNotEmpty().isEqualTo(loader.formats());
    }
  }

  @Test
  void aModuleOffersItsSymbolsAndTheyRun() {
    if (device() instanceof ModuleLoader loader) {
      SampleModule sample = sample();
      try (Module module = loader.loadModule(sample.image())) {
        assertThat(module.origin()).isNotBlank();
        assertThat(module.functionNames()).contains(sample.symbol());
        assertThat(module.find("conformance.none")).isEmpty();
        PackedFunc function = module.find(sample.symbol()).orElseThrow();
        Tensor x = Tensor.of(new float[] {1, -2, 3}, Shape.of(3));
        @Nullable Object[] args =
            session().callUploaded(function, x, Tensor.zeros(DType.FLOAT32, Shape.of(3)));
        assertThat(args[1])
            .isInstanceOfSatisfying(
                Tensor.class,
                out -> assertThat(out.toHost().toFloatArray()).containsExactly(-1, 2, -3));
        module.close();
      }
    }
  }

  @Test
  void anUnknownFormatIsRefusedByName() {
    if (device() instanceof ModuleLoader loader) {
      ModuleImage image =
          new ModuleImage(
              "conformance-none", List.of(), MemorySegment.ofArray(new byte[] {1, 2, 3}));
      assertThatThrownBy(() -> loader.loadModule(image).close())
          .isInstanceOfSatisfying(
              BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessageContaining("conformance-none");
    }
  }

  @Test
  void contentThatIsNoModuleIsRefused() {
    if (device() instanceof ModuleLoader loader) {
      byte[] noise = {(byte) 0xFF, 0, 1, 2, 3};
      ModuleImage image =
          new ModuleImage(
              sample().image().format(), List.of(sample().symbol()), MemorySegment.ofArray(noise));
      assertThatThrownBy(() -> loader.loadModule(image).close())
          .isInstanceOf(BackendException.class);
    }
  }

  private SampleModule sample() {
    SampleModule sample = backendUnderTest().sampleModule();
    if (sample == null) {
      throw new AssertionError("a device that loads modules needs a sample module");
    }
    return sample;
  }
}
