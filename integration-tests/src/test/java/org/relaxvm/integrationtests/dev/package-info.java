/** The script {@code dev}, in a repository and with tools that are made for its tests. */
@NullMarked
package org.relaxvm.integrationtests.dev;

import org.jspecify.annotations.NullMarked;
