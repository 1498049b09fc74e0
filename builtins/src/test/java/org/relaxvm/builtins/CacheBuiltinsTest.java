package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.CacheDirectory;
import org.relaxvm.builtins.fakes.FakeGpu;
import org.relaxvm.builtins.fakes.FakeVm;
import org.relaxvm.builtins.params.ParamModule;

class CacheBuiltinsTest {
  private final BuiltinFunctions builtins = new BuiltinFunctions();
  private final FakeVm vm = new FakeVm(builtins, new FakeGpu("cuda", 0));

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"tensor_cache", "ndarray_cache"})
  void tensorsAreKeptUnderBothSpellings(String cache) {
    Tensor tensor =
        DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(4), vm.stream(-1));
    vm.call("vm.builtin." + cache + ".update", "a", tensor);
    tensor.close();
    try (Tensor found = vm.call("vm.builtin.tensor_cache.get", "a").asTensor()) {
      assertThat(found.shape()).isEqualTo(Shape.of(4));
    }
    assertThat(vm.call("vm.builtin." + cache + ".get", "b").isNull()).isTrue();
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(1);
    vm.call("vm.builtin." + cache + ".remove", "a");
    vm.call("vm.builtin." + cache + ".remove", "never there");
    assertThat(vm.call("vm.builtin.tensor_cache.get", "a").isNull()).isTrue();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void aNameIsReplacedOnlyWhenAskedFor() {
    put("a", 1);
    assertFails(ErrorKind.INTERNAL, "the cache of parameters has 'a' already", () -> put("a", 2));
    assertFails(
        ErrorKind.INTERNAL,
        "the cache of parameters has 'a' already",
        () -> vm.call("vm.builtin.tensor_cache.update", "a", Tensor.scalar(2L), false));
    vm.call("vm.builtin.tensor_cache.update", "a", Tensor.scalar(3L), true);
    assertThat(vm.call("vm.builtin.tensor_cache.get", "a").asTensor().toLongArray())
        .containsExactly(3);
  }

  @Test
  void clearForgetsAllAndAnotherProviderHasItsOwn() {
    put("a", 1);
    assertThat(new FakeVm().call("vm.builtin.tensor_cache.get", "a").isNull()).isTrue();
    assertThat(new FakeVm(builtins).call("vm.builtin.tensor_cache.get", "a").isNull()).isFalse();
    vm.call("vm.builtin.ndarray_cache.clear");
    assertThat(vm.call("vm.builtin.tensor_cache.get", "a").isNull()).isTrue();
  }

  @Test
  void parametersAreLoadedToTheHostAndToDevices() throws IOException {
    new CacheDirectory(directory).floats("w_0", 1, 2).floats("w_1", 3).write();
    vm.call("vm.builtin.tensor_cache.load", directory.toString(), 1, 0);
    Tensor onHost = vm.call("vm.builtin.tensor_cache.get", "w_0").asTensor();
    assertThat(onHost.device().isHost()).isTrue();
    assertThat(onHost.toFloatArray()).containsExactly(1, 2);

    vm.call("vm.builtin.ndarray_cache.load", directory.toString(), 2, 0);
    Tensor onGpu = vm.call("vm.builtin.tensor_cache.get", "w_1").asTensor();
    assertThat(onGpu.device()).hasToString("cuda:0");
    assertThat(onGpu.toFloatArray()).containsExactly(3);
    onGpu.close();
    vm.call("vm.builtin.tensor_cache.clear");
    assertThat(vm.allocator(0).liveBlocks()).isZero();
  }

  @Test
  void parametersAreLoadedFromJavaToTheHostOnly() throws IOException {
    new CacheDirectory(directory).floats("w_0", 1, 2).write();
    builtins.find("vm.builtin.tensor_cache.load").orElseThrow().invoke(directory.toString(), 1, 0);
    assertThat(vm.call("vm.builtin.tensor_cache.get", "w_0").isNull()).isFalse();
    assertFails(
        ErrorKind.VALUE,
        "outside of a VM parameters can be loaded to the host only, which has type 1 and id 0, but"
            + " got type 2 and id 0",
        () ->
            builtins
                .find("vm.builtin.tensor_cache.load")
                .orElseThrow()
                .invoke(directory.toString(), 2, 0));
  }

  @Test
  void aNameThatNoFolderHasIsRefused() {
    assertFails(
        ErrorKind.VALUE,
        "cannot load parameters: not a folder name: Nul character not allowed",
        () -> vm.call("vm.builtin.tensor_cache.load", "a\0b", 1, 0));
  }

  @Test
  void numberedParametersAreTakenByCountOrUpToTheFirstGap() {
    put("p_0", 10);
    put("p_1", 11);
    put("p_3", 13);
    assertThat(firsts(vm.call("vm.builtin.param_array_from_cache", "p", 2).asTuple()))
        .containsExactly(10, 11);
    assertThat(firsts(vm.call("vm.builtin.param_array_from_cache", "p", -1).asTuple()))
        .containsExactly(10, 11);
    assertThat(vm.call("vm.builtin.param_array_from_cache", "q", -1).asTuple().size()).isZero();
    assertFails(
        ErrorKind.INTERNAL,
        "the cache of parameters has no 'p_2'\n"
            + "  what to do: load the folder that has it with "
            + "vm.builtin.tensor_cache.load",
        () -> vm.call("vm.builtin.param_array_from_cache", "p", 3));
  }

  @Test
  void namedParametersAreTakenInTheOrderOfTheNames() {
    put("a", 1);
    put("b", 2);
    Tuple names = Tuple.of("b", "a", "b");
    assertThat(firsts(vm.call("vm.builtin.param_array_from_cache_by_name", names).asTuple()))
        .containsExactly(2, 1, 2);
    assertThat(
            firsts(
                vm.call("vm.builtin.param_array_from_cache_by_name_unpacked", "b", "a").asTuple()))
        .containsExactly(2, 1);
    assertFails(
        ErrorKind.VALUE,
        "the cache of parameters has no 'c'\n"
            + "  what to do: load the folder that has it with "
            + "vm.builtin.tensor_cache.load",
        () -> vm.call("vm.builtin.param_array_from_cache_by_name", Tuple.of("a", "c")));
    assertFails(
        ErrorKind.VALUE,
        "Expect string as input, but get int at 1",
        "the name of parameter 1 must be a string, but is an integer",
        () -> vm.call("vm.builtin.param_array_from_cache_by_name_unpacked", "a", 3L));
  }

  @Test
  void aParamModuleKeepsItsParametersAndReturnsThem() {
    Tensor tensor =
        DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(4), vm.stream(-1));
    vm.call("vm.builtin.tensor_cache.update", "p_0", tensor);
    tensor.close();
    Object numbered = vm.call("vm.builtin.param_module_from_cache", "p", -1).object();
    Object named = vm.call("vm.builtin.param_module_from_cache_by_name", Tuple.of("p_0")).object();
    vm.call("vm.builtin.tensor_cache.clear");

    assertThat(TypeKeys.of(numbered)).isEqualTo("ffi.Module");
    try (ParamModule module = (ParamModule) numbered) {
      assertThat(module).isNotNull();
      assertThat(module.origin()).isEqualTo("param_module");
      assertThat(module.functionNames()).containsExactly("get_params");
      try (Tuple params = module.find("get_params").orElseThrow().invoke().asTuple()) {
        assertThat(params.at(0).asTensor().shape()).isEqualTo(Shape.of(4));
      }
    }
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(1);
    try (ParamModule module = (ParamModule) named) {
      assertThat(module).isNotNull();
      assertThat(module.find("get_param")).isEmpty();
    }
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  private void put(String name, long value) {
    vm.call("vm.builtin.tensor_cache.update", name, Tensor.scalar(value));
  }

  private static long[] firsts(Tuple tensors) {
    return tensors.fields().stream()
        .map(Tensor.class::cast)
        .mapToLong(tensor -> tensor.toLongArray()[0])
        .toArray();
  }
}
