package org.relaxvm.backendsupport.gpu.kernellibrary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.tir.library.LibraryCall;

/** What is wrong with the tensors of a call. */
class LibraryCallTest {
  private final ReferenceDevice device = new ReferenceDevice(new DeviceId("reference", 0));
  private final NaiveAllocator allocator = new NaiveAllocator(device);
  private final Stream stream = device.openStream();

  @AfterEach
  void close() {
    stream.close();
    allocator.close();
    device.close();
  }

  @Test
  void aTensorThatIsClosedIsRefused() {
    try (Tensor a = tensor(4);
        Tensor out = tensor(4)) {
      Tensor gone = tensor(4);
      gone.close();
      refuses("add", "argument #1 'b' must be an open tensor but is closed", a, gone, out);
    }
  }

  @Test
  void aTensorOfAnotherDeviceIsRefused() {
    try (Tensor a = tensor(4);
        Tensor out = tensor(4)) {
      Tensor host = Tensor.zeros(DType.FLOAT32, Shape.of(4));
      refuses("add", "argument #1 'b' must be on reference:0 but is on cpu:0", a, host, out);
      try (Tuple parts = Tuple.of(a, host)) {
        refuses("concat", "argument #0 'xs' must be on reference:0 but is on cpu:0", parts, 0, out);
      }
    }
  }

  @Test
  void aTensorWithStridesIsRefusedAndItIsSaidWhatToDo() {
    try (Tensor rows = tensor(2, 3);
        Tensor columns = rows.permute(1, 0);
        Tensor out = tensor(3, 2)) {
      refuses(
          "negative",
          "argument #0 'x' must be a contiguous (row-major) tensor but is one of the shape"
              + " [3, 2] with the strides [1, 3]; pass the whole tensor to relaxvm.permute_dims,"
              + " relaxvm.strided_slice or relaxvm.flip instead of a view of it",
          columns,
          out);
    }
  }

  @Test
  void aConstantIsNoOutput() {
    try (Tensor x = tensor(4);
        Tensor out = tensor(4)) {
      out.markConstant();
      refuses(
          "negative",
          "argument #1 'out' must be a tensor that can be written but is a constant",
          x,
          out);
    }
  }

  @Test
  void anOutputThatOverlapsAnInputIsRefusedUnlessItIsTheInput() {
    try (Tensor all = tensor(6);
        Tensor head = all.slice(0, 0, 4);
        Tensor tail = all.slice(0, 2, 6);
        Tensor last = all.slice(0, 4, 6);
        Tensor first = all.slice(0, 0, 2)) {
      refuses(
          "negative",
          "argument #1 'out' must be the very elements of 'x' or apart from them but is in memory"
              + " that overlaps it",
          head,
          tail);
      refuses(
          "flip",
          "argument #2 'out' must be apart from 'x' but is in memory that overlaps it",
          all,
          0,
          all);
      assertThatCode(() -> check("negative", head, head)).doesNotThrowAnyException();
      assertThatCode(() -> check("flip", first, 0, last)).doesNotThrowAnyException();
    }
  }

  @Test
  void extentsOfTensorsAreSeen() {
    try (Tensor x = tensor(2, 3);
        Tensor out = tensor(2, 3)) {
      LibraryCall call = check("negative", x, out);
      assertThat(call.extents("x")).containsExactly(2L, 3L);
      assertThat(call.extent("x", -1)).isEqualTo(3);
      assertThat(call.extent("x", 2)).as("an axis that is not there").isEqualTo(1);
      assertThat(call.hasOneShape()).isTrue();
    }
  }

  private Tensor tensor(long... dims) {
    return DeviceTensors.copyTo(Tensor.zeros(DType.FLOAT32, Shape.of(dims)), allocator, stream);
  }

  private LibraryCall check(String function, @Nullable Object... args) {
    return LibraryCall.checked(
        KernelLibrary.standard().find("relaxvm." + function).orElseThrow(),
        CallArgs.of(args),
        device);
  }

  private void refuses(String function, String message, @Nullable Object... args) {
    assertThatThrownBy(() -> check(function, args))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
        .hasMessage("relaxvm." + function + ": " + message);
  }
}
