package org.relaxvm.backendcuda;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendcuda.context.Blocks;

/**
 * What a stream records. Written by the thread that uses the stream, and spoiled by any.
 *
 * <p>Thread-safe.
 */
final class Recording {
  private final DeviceId device;
  private final List<Command> commands = new ArrayList<>();
  private @Nullable String spoiledBy;
  private Blocks.@Nullable Block workspace;

  Recording(DeviceId device) {
    this.device = device;
  }

  /**
   * Something is recorded.
   *
   * @throws BackendException when it cannot be
   */
  void add(Command command) {
    if (!command.canBeRecorded()) {
      throw spoil(command.toString());
    }
    synchronized (this) {
      commands.add(command);
    }
  }

  /**
   * The memory that all its GEMMs work in, which take place whenever what was recorded is done, and
   * perhaps beside those of the stream.
   */
  synchronized Blocks.Block workspace(Supplier<Blocks.Block> maker) {
    Blocks.Block taken = workspace;
    if (taken == null) {
      taken = maker.get();
      workspace = taken;
    }
    return taken;
  }

  /** Gives that memory back, if there is any, when nothing of the recording will be done. */
  synchronized void giveBack() {
    Blocks.Block taken = workspace;
    workspace = null;
    if (taken != null) {
      taken.giveBack();
    }
  }

  /** Something was to be done that cannot be recorded. */
  synchronized BackendException spoil(String what) {
    if (spoiledBy == null) {
      spoiledBy = what;
    }
    return new BackendException(
        ErrorKind.VALUE,
        device
            + " cannot "
            + what
            + " while its stream records: only kernels and copies within the device can be"
            + " recorded\n  what to do: do it before or after the recording, which is of no use"
            + " now");
  }

  /**
   * Refuses a recording that something was missing from.
   *
   * @throws BackendException that says what
   */
  synchronized void requireWhole() {
    if (spoiledBy != null) {
      throw new BackendException(
          ErrorKind.VALUE,
          device
              + " has no recording: it was to "
              + spoiledBy
              + " meanwhile, which cannot be recorded\n  what to do: do that before or after the"
              + " recording, and record again");
    }
  }

  /** How many kernels and copies there are. */
  synchronized int size() {
    return commands.size();
  }

  /** The names of its kernels in order. */
  synchronized List<String> kernels() {
    return commands.stream().map(Command::kernel).filter(name -> !name.isEmpty()).toList();
  }
}
