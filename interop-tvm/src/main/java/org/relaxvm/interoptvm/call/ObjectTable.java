package org.relaxvm.interoptvm.call;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.interoptvm.abi.DlTensor;
import org.relaxvm.interoptvm.abi.ObjectBlock;

/**
 * The Java objects that compiled code holds in one thread, by the addresses that stand for them. A
 * stack like {@link CallMemory}: an address is valid until the call that gave it out ends. An
 * object is borrowed, or owned by the table, which then releases it at that end unless it was taken
 * out.
 *
 * <p>Confined to one thread, except that tasks of a parallel launch read what the table of the
 * thread that launched them held then. That thread runs a task too, and may add objects meanwhile.
 */
final class ObjectTable {
  private static final int MOST_FREE = 256;
  private static final int CALL_WORDS = 5;

  private final CallMemory memory = new CallMemory();
  // Volatile, so that other threads find everything in an array that replaced another.
  private volatile @Nullable Object[] objects = new Object[16];
  private boolean[] owned = new boolean[16];
  private int count;

  // Blocks that stand for nothing any more, of tensors of few axes. Those before the first one
  // belong to calls further out, as objects before the first index do.
  private final long[] free = new long[MOST_FREE];
  private int freeCount;
  private int firstFree;
  private int firstIndex;

  // What the calls that this thread is in began with: nothing is allocated to begin one, since a
  // thread without memory has to end the parallel task that it is given.
  private long[] calls = new long[8 * CALL_WORDS];
  private int callWords;

  /**
   * The address that stands for an object from now on. That of a tensor is one for compiled code
   * too, if the tensor is compact and, on the host, where compiled code can reach it.
   */
  long add(@Nullable Object object, boolean owner) {
    if (count == objects.length) {
      objects = Arrays.copyOf(objects, 2 * count);
      owned = Arrays.copyOf(owned, 2 * count);
    }
    int rank = ObjectBodies.rank(object);
    if (rank <= DlTensor.FEW_AXES && freeCount > firstFree) {
      return addAt(free[--freeCount], object, owner);
    }
    long address = memory.allocate(ObjectBodies.bytes(Math.max(rank, DlTensor.FEW_AXES)));
    put(address, count, object, owner);
    count++;
    return address;
  }

  private long addAt(long address, @Nullable Object object, boolean owner) {
    put(address, ObjectBlock.index(address), object, owner);
    return address;
  }

  private void put(long address, int index, @Nullable Object object, boolean owner) {
    ObjectBodies.put(address, object, index);
    objects[index] = object;
    owned[index] = owner;
  }

  /**
   * Forgets an object that nothing refers to any more, and releases it if the table owns it. The
   * address may stand for another one later.
   */
  void drop(long address) {
    int index = ObjectBlock.index(address);
    if (index < firstIndex || index >= count) {
      return;
    }
    Object object = objects[index];
    boolean owner = owned[index];
    objects[index] = null;
    owned[index] = false;
    if (ObjectBodies.rank(object) <= DlTensor.FEW_AXES && freeCount < MOST_FREE) {
      free[freeCount++] = address;
    }
    if (owner) {
      Managed.release(object);
    }
  }

  /** Begins a call, whose objects {@link #leave} forgets. */
  void enter() {
    if (callWords == calls.length) {
      calls = Arrays.copyOf(calls, 2 * callWords);
    }
    calls[callWords] = count;
    calls[callWords + 1] = memory.chunk();
    calls[callWords + 2] = memory.top();
    calls[callWords + 3] = firstIndex;
    calls[callWords + 4] = firstFree;
    callWords += CALL_WORDS;
    firstIndex = count;
    firstFree = freeCount;
  }

  /** Whether an address is one that this table gave out. */
  boolean holds(long address) {
    return memory.holds(address, ObjectBlock.BYTES) && ObjectBlock.isAt(address);
  }

  /** The object of an address that {@link #holds} accepts, borrowed. */
  @Nullable Object get(long address) {
    int index = ObjectBlock.index(address);
    return index >= 0 && index < count ? objects[index] : null;
  }

  /** The object of an address with an owner for the caller. */
  @Nullable Object take(long address) {
    int index = ObjectBlock.index(address);
    if (index < 0 || index >= count) {
      return null;
    }
    Object object = objects[index];
    if (owned[index]) {
      objects[index] = null;
      owned[index] = false;
    } else {
      Managed.retain(object);
    }
    return object;
  }

  /** Ends a call: forgets everything that was added since it began. */
  void leave() {
    callWords -= CALL_WORDS;
    final int first = (int) calls[callWords];
    memory.release((int) calls[callWords + 1], calls[callWords + 2]);
    freeCount = Math.min(freeCount, firstFree);
    firstIndex = (int) calls[callWords + 3];
    firstFree = (int) calls[callWords + 4];
    Throwable failure = null;
    while (count > first) {
      count--;
      Object object = objects[count];
      objects[count] = null;
      if (owned[count]) {
        owned[count] = false;
        try {
          Managed.release(object);
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }
}
