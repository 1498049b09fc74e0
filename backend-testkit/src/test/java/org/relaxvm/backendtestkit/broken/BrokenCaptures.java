package org.relaxvm.backendtestkit.broken;

import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.backendtestkit.reference.ReferenceStream;

/** Reference devices whose recordings are wrong in one place each. */
final class BrokenCaptures {
  private BrokenCaptures() {}

  static final class DoesTheWorkToo extends ReferenceDevice {
    DoesTheWorkToo(DeviceId id) {
      super(id);
    }

    @Override
    public Stream openStream() {
      requireOpen();
      return new ReferenceStream(this) {
        @Override
        public CapturedWork endCapture() {
          CapturedWork work = super.endCapture();
          work.submit(this);
          return work;
        }
      };
    }
  }

  static final class SubmitsOnlyOnce extends ReferenceDevice {
    SubmitsOnlyOnce(DeviceId id) {
      super(id);
    }

    @Override
    public Stream openStream() {
      requireOpen();
      return new ReferenceStream(this) {
        @Override
        public CapturedWork endCapture() {
          return new Once(super.endCapture());
        }
      };
    }
  }

  static final class SubmitsToItsOwnStream extends ReferenceDevice {
    SubmitsToItsOwnStream(DeviceId id) {
      super(id);
    }

    @Override
    public Stream openStream() {
      requireOpen();
      return new ReferenceStream(this) {
        @Override
        public CapturedWork endCapture() {
          return new Elsewhere(super.endCapture(), this);
        }
      };
    }
  }

  static final class WaitsWhileItRecords extends ReferenceDevice {
    WaitsWhileItRecords(DeviceId id) {
      super(id);
    }

    @Override
    public Stream openStream() {
      requireOpen();
      return new ReferenceStream(this) {
        @Override
        protected void refuseWhileRecording(String what) {}
      };
    }
  }

  private static final class Once implements CapturedWork {
    private final CapturedWork work;
    private boolean submitted;

    Once(CapturedWork work) {
      this.work = work;
    }

    @Override
    public int size() {
      return work.size();
    }

    @Override
    public void submit(Stream stream) {
      if (!submitted) {
        submitted = true;
        work.submit(stream);
      }
    }

    @Override
    public void close() {
      work.close();
    }
  }

  private record Elsewhere(CapturedWork work, Stream own) implements CapturedWork {
    @Override
    public int size() {
      return work.size();
    }

    @Override
    public void submit(Stream stream) {
      work.submit(own);
    }

    @Override
    public void close() {
      work.close();
    }
  }
}
