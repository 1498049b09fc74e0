package org.relaxvm.api.discovery;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The bridge to code in provider jars. Whatever such code throws, a {@link LinkageError} of a jar
 * that was built wrongly included, is caught here and only here, so that one bad jar never hides
 * the good ones.
 */
public final class ProviderBridge {
  private ProviderBridge() {}

  /** What a call into a jar gave. */
  public sealed interface Outcome<T> {
    /** The value, or what {@code otherwise} makes of the failure. */
    T orElse(Function<Throwable, ? extends T> otherwise);
  }

  /** The value that a call gave. */
  public record Success<T>(T value) implements Outcome<T> {
    @Override
    public T orElse(Function<Throwable, ? extends T> otherwise) {
      return value;
    }
  }

  /** What a call threw. */
  public record Failure<T>(Throwable cause) implements Outcome<T> {
    @Override
    public T orElse(Function<Throwable, ? extends T> otherwise) {
      return otherwise.apply(cause);
    }
  }

  /**
   * Calls into a jar. A null result is a failure. Errors of the JVM itself, such as no memory left,
   * are no fault of the jar and are not caught; a stack that overflows is one.
   */
  public static <T> Outcome<T> attempt(Supplier<T> call) {
    try {
      T value = call.get();
      return value != null ? new Success<>(value) : new Failure<>(nothing());
    } catch (StackOverflowError e) {
      return new Failure<>(e);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      return new Failure<>(e);
    }
  }

  /** As {@link #attempt}, for calls without a result. */
  public static Outcome<Boolean> attemptRun(Runnable call) {
    return attempt(
        () -> {
          call.run();
          return true;
        });
  }

  private static NullPointerException nothing() {
    return new NullPointerException("the provider returned null");
  }
}
