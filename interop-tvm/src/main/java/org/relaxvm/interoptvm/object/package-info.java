/**
 * Reads native libraries (ELF, Mach-O, PE) as files, without loading them: loading runs code of
 * theirs, and what a library asks for or lacks should be known before. Nothing in a file is
 * trusted; a damaged one ends in a {@link org.relaxvm.api.error.MalformedFileException}.
 */
@NullMarked
package org.relaxvm.interoptvm.object;

import org.jspecify.annotations.NullMarked;
