package org.relaxvm.backendtestkit.broken;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

/** Reference devices whose memory, copies or modules are wrong in one place each. */
final class BrokenDevices {
  private BrokenDevices() {}

  /** Refuses modules with a certain function. */
  static final class Lacks extends ReferenceDevice {
    private final String function;

    Lacks(DeviceId id, String function) {
      super(id);
      this.function = function;
    }

    @Override
    public Module loadModule(ModuleImage image) {
      if (image.symbols().contains(function)) {
        throw new BackendException(ErrorKind.VALUE, "no " + function);
      }
      return super.loadModule(image);
    }
  }

  static final class IgnoresOffsets extends ReferenceDevice {
    IgnoresOffsets(DeviceId id) {
      super(id);
    }

    @Override
    protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
      super.doCopyIn(source, target, 0, stream);
    }
  }

  static final class ReadsTheSourceLater extends ReferenceDevice {
    ReadsTheSourceLater(DeviceId id) {
      super(id);
    }

    @Override
    protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
      submit(
          stream, () -> MemorySegment.copy(source, 0, content(target), offset, source.byteSize()));
    }
  }

  static final class CopiesWholeWordsOnly extends ReferenceDevice {
    CopiesWholeWordsOnly(DeviceId id) {
      super(id);
    }

    @Override
    protected void doCopyOut(
        DeviceMemory source, long offset, MemorySegment target, Stream stream) {
      super.doCopyOut(source, offset, target.asSlice(0, target.byteSize() & ~3L), stream);
    }
  }

  static final class SwapsOffsets extends ReferenceDevice {
    SwapsOffsets(DeviceId id) {
      super(id);
    }

    @Override
    protected void doCopyWithin(
        DeviceMemory source,
        long sourceOffset,
        DeviceMemory target,
        long targetOffset,
        long byteSize,
        Stream stream) {
      super.doCopyWithin(source, targetOffset, target, sourceOffset, byteSize, stream);
    }
  }

  static final class CopiesAtOnce extends ReferenceDevice {
    CopiesAtOnce(DeviceId id) {
      super(id);
    }

    @Override
    protected void doCopyWithin(
        DeviceMemory source,
        long sourceOffset,
        DeviceMemory target,
        long targetOffset,
        long byteSize,
        Stream stream) {
      MemorySegment.copy(content(source), sourceOffset, content(target), targetOffset, byteSize);
    }
  }

  static final class CopiesToPeersAtOnce extends ReferenceDevice {
    CopiesToPeersAtOnce(DeviceId id) {
      super(id);
    }

    @Override
    public void copyTo(
        DeviceMemory source,
        long sourceOffset,
        Stream sourceStream,
        DeviceMemory target,
        long targetOffset,
        Stream targetStream,
        long byteSize) {
      MemorySegment bytes = content(source).asSlice(sourceOffset, byteSize);
      targetStream.device().copyIn(bytes, target, targetOffset, targetStream);
    }
  }

  static final class ClaimsPeersThatItHasNot extends ReferenceDevice {
    ClaimsPeersThatItHasNot(DeviceId id) {
      super(id);
    }

    @Override
    public boolean canCopyTo(Device target) {
      return false;
    }
  }

  /** One staging buffer for all threads: where two of them copy at once, both copy the same. */
  static final class SharesItsStagingBuffer extends ReferenceDevice {
    private final Exchanger<byte[]> meeting = new Exchanger<>();
    private volatile byte[] staged = {};
    private volatile boolean alone;

    SharesItsStagingBuffer(DeviceId id) {
      super(id);
    }

    @Override
    protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
      staged = source.toArray(ValueLayout.JAVA_BYTE);
      try {
        if (!alone) {
          meeting.exchange(staged, 2, TimeUnit.SECONDS);
        }
      } catch (TimeoutException e) {
        alone = true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      super.doCopyIn(MemorySegment.ofArray(staged), target, offset, stream);
    }
  }

  static final class GivesSmallerBlocks extends ReferenceDevice {
    GivesSmallerBlocks(DeviceId id) {
      super(id);
    }

    @Override
    protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
      return super.doAllocate(byteSize & ~7L, alignment, scope);
    }
  }

  static final class TakesEveryScope extends ReferenceDevice {
    TakesEveryScope(DeviceId id) {
      super(id);
    }

    @Override
    protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
      return super.doAllocate(byteSize, alignment, "");
    }
  }

  static final class FailsWithoutAType extends ReferenceDevice {
    FailsWithoutAType(DeviceId id) {
      super(id);
    }

    @Override
    protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
      if (byteSize > LARGEST_BLOCK) {
        throw new IllegalStateException("error 2");
      }
      return super.doAllocate(byteSize, alignment, scope);
    }
  }

  static final class LosesFreedBlocks extends ReferenceDevice {
    LosesFreedBlocks(DeviceId id) {
      super(id);
    }

    @Override
    protected void doFree(DeviceMemory memory) {
      content(memory);
    }
  }

  static final class WorksAfterClose extends ReferenceDevice {
    WorksAfterClose(DeviceId id) {
      super(id);
    }

    @Override
    protected void requireOpen() {}
  }

  static final class ClosesOnlyOnce extends ReferenceDevice {
    private boolean closed;

    ClosesOnlyOnce(DeviceId id) {
      super(id);
    }

    @Override
    public void close() {
      if (closed) {
        throw new IllegalStateException("the handle was given back twice");
      }
      closed = true;
      super.close();
    }
  }

  static final class LoadsEveryFormat extends ReferenceDevice {
    LoadsEveryFormat(DeviceId id) {
      super(id);
    }

    @Override
    public Module loadModule(ModuleImage image) {
      return Module.empty("module of " + this);
    }
  }
}
