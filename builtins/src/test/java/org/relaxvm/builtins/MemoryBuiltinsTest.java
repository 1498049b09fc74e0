package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeGpu;
import org.relaxvm.builtins.fakes.FakeVm;

class MemoryBuiltinsTest {
  private final FakeVm vm = new FakeVm(new FakeGpu("cuda", 0));

  @Test
  void storageComesFromTheDeviceOfItsIndex() {
    try (Storage onGpu = storage(0, "global", 24);
        Storage onHost = storage(1, "", 24);
        Storage onLast = storage(-1, "global", 0)) {
      assertThat(onGpu.device()).hasToString("cuda:0");
      assertThat(onGpu.byteSize()).isEqualTo(24);
      assertThat(onGpu.scope()).isEqualTo("global");
      assertThat(onHost.device().isHost()).isTrue();
      assertThat(onLast.device().isHost()).isTrue();
      assertThat(onLast.byteSize()).isZero();
      assertThat(vm.allocator(0).liveBlocks()).isEqualTo(1);
      assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(2);
    }
    assertThat(vm.allocator(0).liveBlocks()).isZero();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void storageOfADtypeHasTheBytesOfAllElements() {
    vm.call("vm.builtin.alloc_storage", vm, Shape.of(3, 5), 1, DType.FLOAT64, "global");
    assertThat(vm.allocator(1).stats().liveBytes()).isEqualTo(120);
  }

  @Test
  void aDeviceIndexOutsideOfTheListIsRefused() {
    String devices =
        ": the devices of the virtual machine are cuda:0 (type 2, id 0), cpu:0 (type 1, id 0), and"
            + " -1 is the host";
    assertFails(
        ErrorKind.INTERNAL, "there is no device 2" + devices, () -> storage(2, "global", 1));
    assertFails(
        ErrorKind.INTERNAL, "there is no device -2" + devices, () -> storage(-2, "global", 1));
  }

  @Test
  void aTensorMayFillItsStorageExactly() {
    try (Storage storage = storage(1, "global", 24);
        Tensor whole = tensor(storage, 0, Shape.of(2, 3));
        Tensor end = tensor(storage, 16, Shape.of(2));
        Tensor empty = tensor(storage, 24, Shape.of(0))) {
      assertThat(whole.storage()).isSameAs(storage);
      assertThat(whole.byteOffset()).isZero();
      assertThat(end.byteOffset()).isEqualTo(16);
      assertThat(empty.elementCount()).isZero();
    }
  }

  @Test
  void aTensorKeepsItsStorageAlive() {
    Storage storage = storage(1, "global", 24);
    Tensor tensor = tensor(storage, 0, Shape.of(2, 3));
    storage.close();
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(1);
    tensor.close();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void aTensorThatDoesNotFitIsRefused() {
    try (Storage storage = storage(1, "global", 24)) {
      assertFails(
          ErrorKind.INTERNAL,
          "a tensor of 28 bytes at offset 0 does not fit a storage of 24 bytes",
          () -> tensor(storage, 0, Shape.of(7)));
      assertFails(
          ErrorKind.INTERNAL,
          "storage allocation failure, attempted to allocate 8 at offset 20 in region that is"
              + " 24bytes",
          "a tensor of 8 bytes at offset 20 does not fit a storage of 24 bytes",
          () -> tensor(storage, 20, Shape.of(2)));
      assertFails(
          ErrorKind.INTERNAL,
          "storage allocation failure, attempted to allocate 4 at offset -4 in region that is"
              + " 24bytes",
          "a tensor of 4 bytes at offset -4 does not fit a storage of 24 bytes",
          () -> tensor(storage, -4, Shape.of(1)));
    }
  }

  @Test
  void aTensorStaysInTheScopeOfItsStorage() {
    try (Storage plain = storage(0, "global", 24);
        Storage texture = storage(0, "texture", 24)) {
      scopedTensor(plain, "global").close();
      scopedTensor(plain, "").close();
      scopedTensor(texture, "texture").close();
      assertFails(
          ErrorKind.VALUE,
          "cannot make a tensor of scope 'texture' in a storage of scope 'global'",
          () -> scopedTensor(plain, "texture"));
    }
  }

  @Test
  void clearGivesIdleMemoryOfAllDevicesBack() {
    assertThat(vm.call("vm.builtin.memory_manager.clear").isNull()).isTrue();
    assertThat(vm.allocator(0).trims()).isEqualTo(1);
    assertThat(vm.allocator(1).trims()).isEqualTo(1);
  }

  @Test
  void nullValueIsNull() {
    assertThat(vm.call("vm.builtin.null_value").isNull()).isTrue();
  }

  private Storage storage(long deviceIndex, String scope, long bytes) {
    return (Storage)
        Objects.requireNonNull(
            vm.call(
                    "vm.builtin.alloc_storage",
                    vm,
                    Shape.of(bytes),
                    deviceIndex,
                    DType.UINT8,
                    scope)
                .object());
  }

  private Tensor tensor(Storage storage, long offset, Shape shape) {
    return vm.call("vm.builtin.alloc_tensor", storage, offset, shape, DType.FLOAT32).asTensor();
  }

  private Tensor scopedTensor(Storage storage, String scope) {
    return vm.call("vm.builtin.alloc_tensor", storage, 0, Shape.of(2), DType.FLOAT32, scope)
        .asTensor();
  }
}
