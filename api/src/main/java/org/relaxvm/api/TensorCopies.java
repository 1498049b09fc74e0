package org.relaxvm.api;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.PeerCopy;
import org.relaxvm.api.spi.Stream;

/** Copies between tensors on any devices, with any strides. */
final class TensorCopies {
  private TensorCopies() {}

  static Tensor toHost(Tensor source) {
    Tensor target = HostTensors.zeros(source.dtype(), source.shape());
    copy(source, target);
    return target;
  }

  static Tensor copyTo(Tensor source, Allocator allocator, Stream stream) {
    Tensor target = Tensor.allocate(allocator, source.dtype(), source.shape(), stream);
    boolean done = false;
    try {
      copy(source, target);
      done = true;
      return target;
    } finally {
      if (!done) {
        target.close();
      }
    }
  }

  static void copy(Tensor source, Tensor target) {
    try {
      copyReachable(source, target);
    } finally {
      // Their memory must not be given back meanwhile, even if this is a tensor's last use.
      Reference.reachabilityFence(source);
      Reference.reachabilityFence(target);
    }
  }

  private static void copyReachable(Tensor source, Tensor target) {
    source.requireLive();
    target.requireLive();
    if (source.byteSize() != target.byteSize()) {
      throw new CallException(
          ErrorKind.INTERNAL,
          "TVMTensorCopyFromTo: The size in bytes must exactly match.\n  source "
              + source
              + " has "
              + source.byteSize()
              + " bytes, target "
              + target
              + " has "
              + target.byteSize());
    }
    if (source.byteSize() == 0) {
      return;
    }
    if (source.device().isHost() && target.device().isHost()) {
      copyOnHost(source, target);
    } else if (source.isContiguous() && target.isContiguous()) {
      copyCompact(source, target);
    } else {
      copyThroughHost(source, target);
    }
  }

  private static void copyOnHost(Tensor source, Tensor target) {
    if (source.isContiguous() && target.isContiguous()) {
      MemorySegment.copy(source.segment(), 0, target.segment(), 0, source.byteSize());
    } else if (source.isContiguous() || target.isContiguous() || sameLayout(source, target)) {
      StridedCopy.copy(source, target);
    } else {
      // Different shapes, both strided: go through row-major order.
      StridedCopy.copy(compactHostCopy(source), target);
    }
  }

  private static boolean sameLayout(Tensor source, Tensor target) {
    return source.shape().equals(target.shape()) && source.dtype().equals(target.dtype());
  }

  private static Tensor compactHostCopy(Tensor source) {
    Tensor compact = HostTensors.zeros(source.dtype(), source.shape());
    StridedCopy.copy(source, compact);
    return compact;
  }

  private static void copyCompact(Tensor source, Tensor target) {
    Device from = source.device();
    Device to = target.device();
    long bytes = source.byteSize();
    if (from.isHost()) {
      try (Stream stream = to.openStream()) {
        to.copyIn(source.segment(), target.storage().memory(), target.byteOffset(), stream);
        stream.synchronize();
      }
    } else if (to.isHost()) {
      try (Stream stream = from.openStream()) {
        from.copyOut(source.storage().memory(), source.byteOffset(), target.segment(), stream);
        stream.synchronize();
      }
    } else if (from.equals(to)) {
      try (Stream stream = from.openStream()) {
        from.copyWithin(
            source.storage().memory(),
            source.byteOffset(),
            target.storage().memory(),
            target.byteOffset(),
            bytes,
            stream);
        stream.synchronize();
      }
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
      Tensor staged = HostTensors.zeros(source.dtype(), source.shape());
      copyCompact(source, staged);
      copyCompact(staged, target);
    }
  }

  /** A strided side on a device is brought to the host with all the memory that it spans. */
  private static void copyThroughHost(Tensor source, Tensor target) {
    Tensor hostSource = source.device().isHost() ? source : mirror(source);
    if (target.device().isHost()) {
      copyOnHost(hostSource, target);
    } else if (target.isContiguous()) {
      copyCompact(compactHostCopy(hostSource), target);
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
}
