package org.relaxvm.interoptvm.call;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;

/**
 * A function of a native library. Tensors on the host are passed without a copy where they lie
 * compact on a boundary of 64 bytes, and through a copy otherwise.
 *
 * <p>Thread-safe; the library must stay loaded during calls.
 */
public abstract sealed class NativeFunction implements PackedFunc
    permits CellFunction, ValueFunction {
  private final String name;
  private final MemorySegment address;
  private final Binding binding;

  /**
   * A function at an address.
   *
   * @param name for messages
   * @param binding what its code may call
   */
  NativeFunction(String name, MemorySegment address, Binding binding) {
    this.name = name;
    this.address = address;
    this.binding = binding;
  }

  @Override
  public final void call(CallArgs args, CallResult result) {
    binding.requireOpen(name);
    NativeThread thread = NativeThread.current();
    CallMemory memory = thread.memory;
    ObjectTable objects = thread.objects;
    int chunk = memory.chunk();
    long top = memory.top();
    int lists = thread.lists.size();
    int copies = thread.copies.size();
    int workspaces = thread.workspace.inUse();
    Binding outerBinding = thread.binding;
    VmContext outerContext = thread.context;
    VmContext context = args.contextOrNull();
    // From here on nothing can fail before the block that undoes it.
    objects.enter();
    thread.binding = binding;
    thread.context = context;
    boolean done = false;
    try {
      if (!invoke(thread, address, binding.stackRoom(), args, result)) {
        thread.workspace.freeDownTo(workspaces);
        throw thread.error.raise();
      }
      if (thread.copies.size() > copies) {
        finishCopies(thread, copies);
      }
      done = true;
    } finally {
      thread.binding = outerBinding;
      thread.context = outerContext;
      memory.release(chunk, top);
      if (!done) {
        dropCopies(thread, copies);
      }
      while (thread.lists.size() > lists) {
        thread.lists.removeLast();
      }
      objects.leave();
      Reference.reachabilityFence(args);
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Writes the arguments, calls the function and reads its result. The thread has no pending error
   * when the function is called.
   *
   * @return false when the function failed
   */
  abstract boolean invoke(
      NativeThread thread,
      MemorySegment function,
      StackRoom room,
      CallArgs args,
      CallResult result);

  private static void finishCopies(NativeThread thread, int from) {
    while (thread.copies.size() > from) {
      thread.copies.removeLast().finish();
    }
  }

  private static void dropCopies(NativeThread thread, int from) {
    while (thread.copies.size() > from) {
      thread.copies.removeLast().drop();
    }
  }

  @Override
  public final String toString() {
    return "native function " + name;
  }
}
