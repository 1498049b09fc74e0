package org.relaxvm.api.io;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * Where an array is read from, for messages.
 *
 * @param name a file, or an entry of an archive
 */
record NpySource(String name) {
  /** A failure that says what is wrong and, after a semicolon, what to do. */
  MalformedFileException malformed(String what) {
    return new MalformedFileException(ErrorKind.VALUE, "malformed .npy file " + name + ": " + what);
  }

  MalformedFileException unsupported(String what) {
    return new MalformedFileException(
        ErrorKind.VALUE, "cannot read .npy file " + name + ": " + what);
  }
}
