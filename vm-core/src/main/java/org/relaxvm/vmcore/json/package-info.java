/** Typed access to JSON documents with errors that name the position. Internal to this module. */
@NullMarked
package org.relaxvm.vmcore.json;

import org.jspecify.annotations.NullMarked;
