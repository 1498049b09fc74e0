package org.relaxvm.api.spi;

/**
 * Implemented by a function of a {@link Module} that has slow work to do before its first call,
 * such as generating code: who cannot wait then has it done ahead.
 *
 * <p>Optional: a function that is not prepared does the work when it is called. Thread-safe; to
 * prepare a function again does nothing.
 */
public interface Preparable {
  /**
   * Does now what the first call would do beside its work.
   *
   * @throws org.relaxvm.api.error.RelaxException what the first call would throw for it
   */
  void prepare();
}
