package org.relaxvm.interoptvm.call;

import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.VmContext;

/**
 * What one thread needs to run compiled code: memory for its arguments, the objects it holds, the
 * error it reports, its temporary memory, and which virtual machine it works for. Confined to its
 * thread.
 */
final class NativeThread {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final ThreadLocal<NativeThread> CURRENT =
      ThreadLocal.withInitial(NativeThread::new);

  final CallMemory memory = new CallMemory();
  final ObjectTable objects = new ObjectTable();
  final PendingError error = new PendingError();
  final Workspace workspace = new Workspace();
  final ArrayList<TensorCopy> copies = new ArrayList<>();

  /** Null outside of calls of compiled code. */
  @Nullable Binding binding;

  /** Of the innermost call; null when it was made outside of any virtual machine. */
  @Nullable VmContext context;

  /** The parallel launch that this thread runs a task of, if any. */
  @Nullable Launch launch;

  /** The thread that launched that task, and waits for it. */
  @Nullable NativeThread launcher;

  /** Where the library that this thread loads registers its functions; null otherwise. */
  @Nullable Map<String, Long> systemSymbols;

  /** Where the stack may end for a call of compiled code: from here, in {@link #stackRoom}. */
  long stackFloor;

  /** Bytes, as an unsigned number; 0 before the stack is measured. */
  long stackRoom;

  private NativeThread() {
    Workspace owned = workspace;
    CLEANER.register(this, owned::close);
  }

  static NativeThread current() {
    return CURRENT.get();
  }

  /** The object that an address stands for, if it stands for one. */
  boolean holds(long address) {
    for (NativeThread thread = this; thread != null; thread = thread.launcher) {
      if (thread.objects.holds(address)) {
        return true;
      }
    }
    return false;
  }

  /** The object of an address that {@link #holds} accepts, borrowed. */
  @Nullable Object objectAt(long address) {
    for (NativeThread thread = this; thread != null; thread = thread.launcher) {
      if (thread.objects.holds(address)) {
        return thread.objects.get(address);
      }
    }
    return null;
  }
}
