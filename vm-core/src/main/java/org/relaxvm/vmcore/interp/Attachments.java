package org.relaxvm.vmcore.interp;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** State that functions keep with a VM, one object per class. Thread-safe. */
public final class Attachments {
  private final Map<Class<?>, Object> values = new HashMap<>();
  private final ArrayDeque<AutoCloseable> closeables = new ArrayDeque<>();
  private final Set<Class<?>> making = new HashSet<>();
  private boolean closed;

  /**
   * The object of a class, made on first use; the maker may ask for others.
   *
   * @throws CallException when the maker asks for what it makes, or the VM is closed
   */
  synchronized <T> T get(Class<T> key, Supplier<? extends T> factory) {
    @Nullable Object value = values.get(key);
    if (value != null) {
      return key.cast(value);
    }
    if (closed) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot make " + key.getName() + " for a virtual machine that is closed");
    }
    if (!making.add(key)) {
      throw new CallException(
          ErrorKind.VALUE, "making the attachment " + key.getName() + " asks for itself");
    }
    try {
      T made = factory.get();
      if (made instanceof AutoCloseable closeable) {
        closeables.addFirst(closeable);
      }
      values.put(key, made);
      return made;
    } finally {
      making.remove(key);
    }
  }

  /**
   * Closes what can be closed, the latest first.
   *
   * @throws CallException with the first failure as its cause; all others are closed all the same
   */
  public synchronized void close() {
    closed = true;
    CallException failure = null;
    for (AutoCloseable closeable : closeables) {
      try {
        closeable.close();
      } catch (Exception | Error e) { // what close() declares, and worse
        if (failure == null) {
          failure =
              new CallException(
                  ErrorKind.RUNTIME, "closing " + closeable + " with the VM failed: " + e, e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    closeables.clear();
    values.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
