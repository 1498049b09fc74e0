/** The commands of {@code relaxvm rpc}. */
@NullMarked
package org.relaxvm.cli.rpc;

import org.jspecify.annotations.NullMarked;
