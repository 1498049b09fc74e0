/** The {@code relaxvm} command as a user meets it: what it prints, and its exit codes. */
@NullMarked
package org.relaxvm.integrationtests.command;

import org.jspecify.annotations.NullMarked;
