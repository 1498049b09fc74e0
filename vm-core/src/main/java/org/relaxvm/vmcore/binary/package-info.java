/**
 * Reading and writing little-endian byte strings of any size, with errors that say where and what.
 * Internal to this module; the executable's reader and writer are built on it.
 */
@NullMarked
package org.relaxvm.vmcore.binary;

import org.jspecify.annotations.NullMarked;
