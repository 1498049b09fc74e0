package org.relaxvm.backendtestkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.backendtestkit.Backends;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

/** The kit says which kernel of a module is wrong, and goes on with the others. */
class BrokenKernelIrTest {
  private static final String ERROR = "java.lang.AssertionError: ";
  private static final String BAD = BrokenKit.KERNELS.get(3);
  private static final String WORSE = BrokenKit.KERNELS.get(8);

  private static Map<String, String> failures(Function<DeviceId, ReferenceDevice> device) {
    KitRun run =
        KitRun.of(
            Backends.reference().withProvider(() -> new ReferenceBackendProvider(device)),
            BrokenKit.KernelIr.class);
    assertThat(run.passed())
        .contains(BrokenKit.LONG_NAMES)
        .hasSize(BrokenKit.KERNELS.size() + 1 - run.failures().size());
    return run.failures();
  }

  private static void refuseTwo(String kernel) {
    if (kernel.equals(BAD) || kernel.equals(WORSE)) {
      throw new BackendException(ErrorKind.VALUE, "no " + kernel);
    }
  }

  @Test
  void kernelsThatAreNotLoadedAreNamed() {
    assertThat(
            failures(
                id ->
                    new ReferenceDevice(id) {
                      @Override
                      public Module loadModule(ModuleImage image) {
                        image.symbols().forEach(BrokenKernelIrTest::refuseTwo);
                        return super.loadModule(image);
                      }
                    }))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                BAD, ERROR + BAD + " is refused: no " + BAD,
                WORSE, ERROR + WORSE + " is refused: no " + WORSE));
  }

  @Test
  void kernelsThatAreNotPreparedAreNamed() {
    assertThat(failures(id -> new Changed(id, Unprepared::new)))
        .containsExactly(Map.entry(BAD, ERROR + BAD + " is refused: no " + BAD));
  }

  @Test
  void kernelsThatFailAreNamed() {
    assertThat(
            failures(
                id ->
                    new Changed(
                        id,
                        function ->
                            (args, result) -> {
                              refuseTwo(BAD);
                              function.call(args, result);
                            })))
        .containsOnlyKeys(BAD)
        .hasEntrySatisfying(
            BAD,
            failure ->
                assertThat(failure)
                    .startsWith(ERROR + BAD + " with ")
                    .endsWith(" fails: no " + BAD));
  }

  @Test
  void kernelsThatComputeSomethingElseAreNamed() {
    assertThat(failures(id -> new Changed(id, function -> (args, result) -> {})))
        .containsOnlyKeys(BAD)
        .hasEntrySatisfying(
            BAD,
            failure ->
                assertThat(failure)
                    .startsWith(ERROR + BAD + " with ")
                    .contains(" must be ", ", but is "));
  }

  @Test
  void modulesOfManyThatAreRefusedThoughTheirKernelsAreNotAreWrong() {
    assertThat(
            failures(
                id ->
                    new ReferenceDevice(id) {
                      @Override
                      public Module loadModule(ModuleImage image) {
                        if (image.symbols().size() == 5) {
                          throw new BackendException(ErrorKind.VALUE, "too many");
                        }
                        return super.loadModule(image);
                      }
                    }))
        .containsKeys(BrokenKit.KERNELS.getFirst())
        .allSatisfy(
            (kernel, failure) ->
                assertThat(failure)
                    .startsWith(ERROR + "[" + kernel + ", ")
                    .endsWith("] are refused in one module, but not in two: too many"));
  }

  /** A device on which one kernel is another function. */
  private static final class Changed extends ReferenceDevice {
    private final Function<PackedFunc, PackedFunc> change;

    Changed(DeviceId id, Function<PackedFunc, PackedFunc> change) {
      super(id);
      this.change = change;
    }

    @Override
    public Module loadModule(ModuleImage image) {
      Module sound = super.loadModule(image);
      Map<String, PackedFunc> functions = new HashMap<>();
      for (String name : sound.functionNames()) {
        PackedFunc function = sound.find(name).orElseThrow();
        functions.put(name, name.equals(BAD) ? change.apply(function) : function);
      }
      return Module.of(sound.origin(), functions);
    }
  }

  /** A function that cannot be prepared. */
  private record Unprepared(PackedFunc function) implements PackedFunc, Preparable {
    @Override
    public void prepare() {
      refuseTwo(BAD);
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      function.call(args, result);
    }
  }
}
