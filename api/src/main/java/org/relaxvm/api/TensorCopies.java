package org.relaxvm.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.events.CopyEvent;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.PeerCopy;
import org.relaxvm.api.spi.Stream;

/** Copies between tensors on any devices, with any strides. */
final class TensorCopies {
  private TensorCopies() {}

  static Tensor toHost(Tensor source) {
    Tensor target = HostTensors.zeros(source.dtype(), source.shape());
    copy(source, target, null);
    return target;
  }

  /**
   * Copies.
   *
   * @param lent used for the work of its device; null opens a stream for that
   */
  static void copy(Tensor source, Tensor target, @Nullable Stream lent) {
    try {
      CopyEvent event = Events.areOn() ? CopyEvent.start() : null;
      boolean staged = copyReachable(source, target, lent);
      if (event != null) {
        event.finish(
            source.byteSize(), source.device(), target.device(), kind(source, target), staged);
      }
    } finally {
      // Their memory must not be given back meanwhile, even if this is a tensor's last use.
      Reference.reachabilityFence(source);
      Reference.reachabilityFence(target);
    }
  }

  private static String kind(Tensor source, Tensor target) {
    boolean toHost = target.device().isHost();
    if (source.device().isHost()) {
      return toHost ? "host" : "host to device";
    }
    if (toHost) {
      return "device to host";
    }
    return source.device().equals(target.device()) ? "within device" : "between devices";
  }

  /** Copies, and tells whether the bytes went through host memory that is neither side's. */
  private static boolean copyReachable(Tensor source, Tensor target, @Nullable Stream lent) {
    source.requireLive();
    target.requireLive();
    target.requireWritable();
    if (source.byteSize() != target.byteSize()) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "cannot copy "
                  + source
                  + " to "
                  + target
                  + ": the source has "
                  + source.byteSize()
                  + " bytes, the target "
                  + target.byteSize())
          .withTvmMessage("TVMTensorCopyFromTo: The size in bytes must exactly match.");
    }
    if (source.byteSize() == 0) {
      return false;
    }
    if (source.device().isHost() && target.device().isHost()) {
      copyOnHost(source, target);
      return false;
    }
    if (source.isContiguous() && target.isContiguous()) {
      return copyCompact(source, target, lent);
    }
    copyThroughHost(source, target, lent);
    return !source.device().isHost();
  }

  private static void copyOnHost(Tensor source, Tensor target) {
    if (source.isContiguous() && target.isContiguous()) {
      MemorySegment.copy(source.segment(), 0, target.segment(), 0, source.byteSize());
    } else if (source.isContiguous() || target.isContiguous() || sameLayout(source, target)) {
      copyStrided(source, target);
    } else {
      // Different shapes, both strided: go through row-major order.
      copyStrided(compactHostCopy(source), target);
    }
  }

  private static boolean sameLayout(Tensor source, Tensor target) {
    return source.shape().equals(target.shape()) && source.dtype().equals(target.dtype());
  }

  private static Tensor compactHostCopy(Tensor source) {
    Tensor compact = HostTensors.zeros(source.dtype(), source.shape());
    copyStrided(source, compact);
    return compact;
  }

  /** As {@link #copyReachable}, for two tensors without strides of which one is on a device. */
  private static boolean copyCompact(Tensor source, Tensor target, @Nullable Stream lent) {
    Device from = source.device();
    Device to = target.device();
    long bytes = source.byteSize();
    if (from.isHost()) {
      MemorySegment elements = source.segment();
      complete(
          to,
          lent,
          stream -> to.copyIn(elements, target.storage().memory(), target.byteOffset(), stream));
    } else if (to.isHost()) {
      MemorySegment elements = target.segment();
      complete(
          from,
          lent,
          stream -> from.copyOut(source.storage().memory(), source.byteOffset(), elements, stream));
    } else if (from.equals(to)) {
      complete(
          from,
          lent,
          stream ->
              from.copyWithin(
                  source.storage().memory(),
                  source.byteOffset(),
                  target.storage().memory(),
                  target.byteOffset(),
                  bytes,
                  stream));
    } else if (from instanceof PeerCopy peer && peer.canCopyTo(to)) {
      try (Stream sourceStream = from.openStream();
          Stream targetStream = to.openStream()) {
        peer.copyTo(
            source.storage().memory(),
            source.byteOffset(),
            sourceStream,
            target.storage().memory(),
            target.byteOffset(),
            targetStream,
            bytes);
        sourceStream.synchronize();
        targetStream.synchronize();
      }
    } else {
      if (Events.areOn()) {
        Events.fallback(
            "copy from " + from + " to " + to + " without the host",
            "two copies, through host memory",
            from + " cannot copy to " + to + " itself");
      }
      Tensor staged = HostTensors.zeros(source.dtype(), source.shape());
      copyCompact(source, staged, lent);
      copyCompact(staged, target, lent);
      return true;
    }
    return false;
  }

  /** Submits work of a device to the lent stream if it is of that device, and waits for it. */
  private static void complete(Device device, @Nullable Stream lent, Consumer<Stream> work) {
    if (lent != null && lent.device().equals(device)) {
      work.accept(lent);
      lent.synchronize();
      return;
    }
    try (Stream stream = device.openStream()) {
      work.accept(stream);
      stream.synchronize();
    }
  }

  /** A strided side on a device is brought to the host with all the memory that it spans. */
  private static void copyThroughHost(Tensor source, Tensor target, @Nullable Stream lent) {
    Tensor hostSource = source.device().isHost() ? source : mirror(source);
    if (target.device().isHost()) {
      copyOnHost(hostSource, target);
    } else if (target.isContiguous()) {
      copyCompact(compactHostCopy(hostSource), target, lent);
    } else {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot copy into a strided tensor on "
              + target.device()
              + ": shape "
              + target.shape()
              + ", strides "
              + Arrays.toString(target.strides())
              + "; copy into a contiguous one");
    }
  }

  private static Tensor mirror(Tensor source) {
    long bytes = source.storage().byteSize();
    if (Events.areOn()) {
      Events.fallback(
          "copy of a strided tensor on " + source.device(),
          "copy of its whole storage to the host, " + bytes + " bytes, and strides followed there",
          "devices copy only bytes that lie together");
    }
    Tensor all = HostTensors.zeros(DType.UINT8, Shape.of(bytes));
    Device from = source.device();
    try (Stream stream = from.openStream()) {
      from.copyOut(source.storage().memory(), 0, all.segment(), stream);
      stream.synchronize();
    }
    long elementBytes = source.dtype().elementByteSize();
    MemorySegment fromFirst = all.segment().asSlice(source.byteOffset() % elementBytes);
    Tensor typed =
        Tensor.wrap(fromFirst, source.dtype(), Shape.of(fromFirst.byteSize() / elementBytes));
    return typed.stridedView(source.shape(), source.strides(), source.byteOffset() / elementBytes);
  }

  /**
   * Copies runs that lie together on both sides at once; shapes are equal, or one side is
   * contiguous and as long as the other.
   */
  private static void copyStrided(Tensor source, Tensor target) {
    int elementBytes = source.dtype().elementByteSize();
    if (target.dtype().elementByteSize() != elementBytes) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot copy strided " + source + " to " + target + ": element sizes differ");
    }
    source.requireLive();
    target.requireLive();
    long count = source.elementCount();
    if (count == 0) {
      return;
    }
    long run = Math.min(runOf(source), runOf(target));
    Strides.Cursor from = cursor(source, run, elementBytes);
    Strides.Cursor to = cursor(target, run, elementBytes);
    // Offsets are relative to the first element; a negative stride reaches in front of it, which
    // the whole storage covers but the segment from the first element on does not.
    MemorySegment fromAll = HostDevice.segmentOf(source.storage().memory());
    MemorySegment toAll = HostDevice.segmentOf(target.storage().memory());
    long runBytes = run * elementBytes;
    for (long i = count / run; i > 0; i--) {
      copyRun(
          fromAll,
          source.byteOffset() + from.byteOffset(),
          toAll,
          target.byteOffset() + to.byteOffset(),
          runBytes);
      from.advance();
      to.advance();
    }
  }

  /** The number of elements, in row-major order, that lie together wherever one starts. */
  private static long runOf(Tensor tensor) {
    if (tensor.isContiguous()) {
      return tensor.elementCount();
    }
    long run = 1;
    for (int axis = tensor.shape().rank() - 1; axis >= 0; axis--) {
      long dim = tensor.shape().dim(axis);
      if (dim != 1 && tensor.stride(axis) != run) {
        break;
      }
      run *= dim;
    }
    return run;
  }

  /** Walks from run to run. */
  private static Strides.Cursor cursor(Tensor tensor, long run, int elementBytes) {
    if (tensor.isContiguous()) {
      Shape runs = Shape.of(tensor.elementCount() / run);
      return new Strides.Cursor(runs, new long[] {run}, elementBytes);
    }
    int outer = tensor.shape().rank();
    for (long inner = 1; inner < run; outer--) {
      inner *= tensor.shape().dim(outer - 1);
    }
    long[] dims = new long[outer];
    long[] strides = new long[outer];
    for (int axis = 0; axis < outer; axis++) {
      dims[axis] = tensor.shape().dim(axis);
      strides[axis] = tensor.stride(axis);
    }
    return new Strides.Cursor(Shape.ofOwned(dims), strides, elementBytes);
  }

  private static void copyRun(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long byteSize) {
    // A bulk copy of a few bytes costs many times what these do.
    if (byteSize == 4) {
      to.set(
          ValueLayout.JAVA_INT_UNALIGNED,
          toOffset,
          from.get(ValueLayout.JAVA_INT_UNALIGNED, fromOffset));
    } else if (byteSize == 8) {
      to.set(
          ValueLayout.JAVA_LONG_UNALIGNED,
          toOffset,
          from.get(ValueLayout.JAVA_LONG_UNALIGNED, fromOffset));
    } else if (byteSize == 2) {
      to.set(
          ValueLayout.JAVA_SHORT_UNALIGNED,
          toOffset,
          from.get(ValueLayout.JAVA_SHORT_UNALIGNED, fromOffset));
    } else {
      MemorySegment.copy(from, fromOffset, to, toOffset, byteSize);
    }
  }
}
