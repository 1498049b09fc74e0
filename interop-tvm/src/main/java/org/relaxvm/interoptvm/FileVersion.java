package org.relaxvm.interoptvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** By what it shows that a file was replaced or written between two looks at it. */
record FileVersion(@Nullable Object key, long size, FileTime modified) {
  static FileVersion of(Path path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return new FileVersion(
          attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + path.toAbsolutePath() + ": " + e.getMessage(), e);
    }
  }
}
