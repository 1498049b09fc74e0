package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;

class TensorFactoryTest {
  @Test
  void arraysOfEveryKindAreCopied() {
    float[] floats = {1.5f, -2};
    Tensor tensor = Tensor.of(floats, Shape.of(2));
    floats[0] = 9;
    assertThat(tensor.toFloatArray()).containsExactly(1.5f, -2);
    assertThat(tensor).hasToString("float32[2] on cpu:0");
    assertThat(Tensor.of(new double[] {1.5}, Shape.of(1)).toDoubleArray()).containsExactly(1.5);
    assertThat(Tensor.of(new long[] {-5}, Shape.of(1)).toLongArray()).containsExactly(-5);
    assertThat(Tensor.of(new int[] {-5}, Shape.of(1)).toLongArray()).containsExactly(-5);
    assertThat(Tensor.of(new short[] {-5}, Shape.of(1)).toLongArray()).containsExactly(-5);
    assertThat(Tensor.of(new byte[] {-5}, Shape.of(1)).toLongArray()).containsExactly(-5);
    Tensor bools = Tensor.of(new boolean[] {true, false}, Shape.of(2));
    assertThat(bools.dtype()).isEqualTo(DType.BOOL);
    assertThat(bools.toLongArray()).containsExactly(1, 0);
  }

  @Test
  void memoryIsAligned() {
    assertThat(Tensor.zeros(DType.INT8, Shape.of(3)).segment().address() % 64).isZero();
  }

  @Test
  void arraysOfTheWrongLengthAreRefused() {
    assertThatThrownBy(() -> Tensor.of(new float[3], Shape.of(2, 2)))
        .isInstanceOf(CallException.class)
        .hasMessage("shape [2, 2] has 4 elements, but the array has 3");
    assertThatThrownBy(() -> Tensor.of(new byte[3], DType.BFLOAT16, Shape.of(2)))
        .hasMessage("shape [2] of bfloat16 needs 4 bytes, but the array has 3");
    assertThatThrownBy(() -> Tensor.of(new byte[3], DType.parse("int4"), Shape.of(2)))
        .hasMessage("shape [2] of int4 needs 1 bytes, but the array has 3");
  }

  @Test
  void bytesAreTakenAsElementsOfAnyDtype() {
    assertThat(Tensor.of(new byte[] {-1}, DType.UINT8, Shape.of(1)).toLongArray())
        .containsExactly(255);
    assertThat(
            Tensor.of(new byte[] {(byte) 0xC0, 0x3F}, DType.BFLOAT16, Shape.of(1)).toFloatArray())
        .containsExactly(1.5f);
    assertThat(Tensor.of(new byte[] {0x21, 0x03}, DType.parse("int4"), Shape.of(3)).byteSize())
        .isEqualTo(2);
  }

  @Test
  void scalarsHaveRankZero() {
    assertThat(Tensor.scalar(2.5f).shape()).isEqualTo(Shape.scalar());
    assertThat(Tensor.scalar(2.5f).doubleAt()).isEqualTo(2.5);
    assertThat(Tensor.scalar(7L).longAt()).isEqualTo(7);
  }

  @Test
  void emptyTensorsHaveNoBytes() {
    Tensor empty = Tensor.zeros(DType.FLOAT32, Shape.of(3, 0));
    assertThat(empty.byteSize()).isZero();
    assertThat(empty.toFloatArray()).isEmpty();
    assertThat(empty.isContiguous()).isTrue();
    assertThat(empty.segment().byteSize()).isZero();
  }

  @Test
  void wrappedMemoryIsShared() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(8);
      Tensor tensor = Tensor.wrap(memory, DType.INT32, Shape.of(2));
      memory.set(ValueLayout.JAVA_INT, 4, 42);
      assertThat(tensor.longAt(1)).isEqualTo(42);
      assertThatThrownBy(() -> Tensor.wrap(memory, DType.INT32, Shape.of(3)))
          .hasMessage("a tensor of 12 bytes at offset 0 does not fit a storage of 8 bytes");
    }
  }

  @Test
  void directAndHeapBuffersAreShared() {
    FloatBuffer direct =
        ByteBuffer.allocateDirect(16).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    direct.position(1).limit(3);
    Tensor floats = Tensor.wrap(direct, Shape.of(2));
    direct.put(2, 5f);
    assertThat(floats.toFloatArray()).containsExactly(0f, 5f);
    LongBuffer heap = LongBuffer.wrap(new long[] {7, 8});
    Tensor longs = Tensor.wrap(heap, Shape.of(2));
    assertThat(longs.dtype()).isEqualTo(DType.INT64);
    longs.fill(3);
    assertThat(heap.get(1)).isEqualTo(3);
    assertThat(Tensor.wrap(ByteBuffer.wrap(new byte[] {-1}), Shape.of(1)).toLongArray())
        .containsExactly(-1);
  }

  @Test
  void unsuitableBuffersAreRefused() {
    assertThatThrownBy(() -> Tensor.wrap(ByteBuffer.allocate(8).asIntBuffer(), Shape.of(2)))
        .hasMessage(
            "the buffer is big endian, but tensors are little endian: call"
                + " order(ByteOrder.LITTLE_ENDIAN) on the byte buffer before making a view of it");
    assertThatThrownBy(() -> Tensor.wrap(FloatBuffer.allocate(3), Shape.of(2)))
        .hasMessage("shape [2] has 2 elements, but the buffer has 3 remaining");
    assertThatThrownBy(() -> Tensor.wrap(CharBuffer.allocate(2), Shape.of(2)))
        .hasMessage("a tensor has no characters: wrap a buffer of numbers");
  }

  @Test
  void sizesThatNoHostHasAreOneTypedError() {
    assertThatThrownBy(() -> Tensor.zeros(DType.INT8, Shape.of(Long.MAX_VALUE)))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "the host refused 9223372036854775807 bytes of native memory: more than any address"
                + " space; use smaller tensors, close those that are not needed, or raise the JVM's"
                + " limit with -XX:MaxDirectMemorySize");
    assertThatThrownBy(() -> Tensor.zeros(DType.FLOAT32, Shape.of(1L << 40)))
        .isInstanceOfSatisfying(
            DeviceOutOfMemoryException.class,
            e -> assertThat(e.requestedBytes()).isEqualTo(1L << 42));
  }
}
