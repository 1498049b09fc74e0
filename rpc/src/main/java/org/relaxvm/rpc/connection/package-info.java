/** How clients connect and how servers run. */
@NullMarked
package org.relaxvm.rpc.connection;

import org.jspecify.annotations.NullMarked;
